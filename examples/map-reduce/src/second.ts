/** The second process: goes on where the first one was killed. */
import { SqliteSaver } from "@threadkeep/checkpointer-sqlite";
import { openCounter } from "./graph.ts";

const [file = ""] = process.argv.slice(2);
const saver = SqliteSaver.fromConnString(file);
const { counts, total } = await openCounter(saver).invoke(null, {
  configurable: { thread_id: "book" },
});
console.log(JSON.stringify({ pid: process.pid, counted: counts, total }));
await saver.close();
