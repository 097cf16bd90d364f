/** The first process: it is killed while one of its workers waits for an answer. */
import { setTimeout } from "node:timers/promises";
import { SqliteSaver } from "@threadkeep/checkpointer-sqlite";
import { writeBook } from "./book.ts";
import { type Count, openCounter } from "./graph.ts";

const [file = ""] = process.argv.slice(2);
const saver = SqliteSaver.fromConnString(file);
const thread = { configurable: { thread_id: "book" } };
const CHAPTERS = 4;

void openCounter(saver, 2).invoke({ book: writeBook(CHAPTERS) }, thread);
let counted: Count[] = [];
while (counted.length < CHAPTERS - 1) {
  await setTimeout(20);
  // What finished workers wrote waits in storage for the one that has not.
  const { pendingWrites = [] } = (await saver.getTuple(thread)) ?? {};
  counted = pendingWrites
    .filter(([, channel]) => channel === "counts")
    .map(([, , value]) => value as Count);
}
process.stdout.write(`${JSON.stringify({ pid: process.pid, counted })}\n`, () =>
  process.kill(process.pid, "SIGKILL"),
);
