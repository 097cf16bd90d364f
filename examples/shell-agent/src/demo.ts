console.log("nothing to show yet");
