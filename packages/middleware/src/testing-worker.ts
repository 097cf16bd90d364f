/** Runs in a process of its own: opens the storage, builds the graph, resumes the thread. */
import { Command } from "@langchain/langgraph";
import { text } from "node:stream/consumers";
import type { ResumeJob } from "./testing/resume-process.ts";

interface Tested {
  invoke(input: unknown, config: object): Promise<unknown>;
}

const job = JSON.parse(await text(process.stdin)) as ResumeJob;
const exports = (await import(job.module)) as Record<
  string,
  ((...args: unknown[]) => unknown) | undefined
>;
const [open, build] = [exports[job.open], exports[job.build]];
if (typeof open !== "function" || typeof build !== "function") {
  throw new TypeError(`${job.module} has to export the functions ${job.open} and ${job.build}`);
}
const saver = await open();
const graph = (await build(saver)) as Tested;
await graph.invoke(new Command({ resume: job.resume }), {
  configurable: { thread_id: job.threadId },
});
await (saver as { close?: () => unknown }).close?.();
process.exit(0);
