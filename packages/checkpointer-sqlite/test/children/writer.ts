// node writer.ts <file> <threads, by comma> <steps>: waits for a line, then stores steps and says so after each.
import { writeSync } from "node:fs";
import { once } from "node:events";
import { SqliteSaver } from "../../src/index.ts";
import { chat } from "../support/sample.ts";
import { idOf, Steps, thread } from "../support/thread.ts";

const [file = "", threads = "", count = "0"] = process.argv.slice(2);
const say = (line: string): number => writeSync(1, `${line}\n`);

say("ready");
await once(process.stdin, "data");
const saver = SqliteSaver.fromConnString(file, { busyTimeoutMs: 20_000 });
const lines = threads
  .split(",")
  .map((id) => ({ id, steps: new Steps(saver, thread(id)), messages: chat(3) }));
for (let i = 0; i < Number(count); i++) {
  for (const line of lines) {
    line.messages = [...line.messages, ...chat(2, line.messages.length)].slice(-40);
    const config = await line.steps.step({ messages: line.messages, i, pid: process.pid });
    await saver.putWrites(config, [["messages", chat(1, i)]], `task-${process.pid}`);
    say(`stored ${line.id} ${i} ${idOf(config)}`);
  }
}
await saver.close();
say("done");
