// What is measured. Each scenario has a folder and a process of its own.

import path from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { chatGraph, type Runs, stepsGraph, TEXT, toolAgent } from "./graphs.ts";
import {
  bytesIn,
  heapBytes,
  processorMs,
  quantile,
  quartileMs,
  rounded,
  settledBytes,
} from "./measure.ts";
import type { Stack } from "./stacks.ts";

/** Numbers of one saver, by what they are. */
export type Figures = Readonly<Record<string, number>>;

export interface Scenario {
  readonly title: string;
  readonly run: (stack: Stack, folder: string) => Promise<Figures>;
  /** Whether it says something about a saver that stores nothing. */
  readonly hasFloor?: boolean;
}

const CONFIG = { configurable: { thread_id: "1" } };

export const scenarios: Readonly<Record<string, Scenario>> = {
  chat: {
    title: "A chat of 500 turns, two messages of 540 characters each",
    hasFloor: true,
    run: async (stack, folder) => {
      const file = path.join(folder, "chat.db");
      const { saver, close } = stack.open(file);
      const graph = stack.harden(chatGraph(saver));
      const turns = turnsOf(graph);
      await turns(1, 25);
      const early = await turns(26, 75);
      await turns(76, 250);
      const half = settledBytes(file);
      await turns(251, 450);
      const late = await turns(451, 500);
      close();
      const figures: Figures = {
        "ms a turn, turns 26–75": early,
        "ms a turn, turns 451–500": late,
      };
      if (half === 0) return figures;
      const again = stack.open(file);
      const load = await quartileMs(24, () => again.saver.getTuple(CONFIG));
      again.close();
      return {
        ...figures,
        "bytes after 250 turns": half,
        "bytes after 500 turns": bytesIn(folder),
        "ms to load 1,000 messages": load,
      };
    },
  },
  files: {
    title: "200 files of 5 kB, one edited in each of 50 steps",
    run: async (stack, folder) => {
      const file = (n: number, edit: number): unknown => ({
        content: `${n} ${edit} `.padEnd(5000, "text of a file "),
      });
      const files = Object.fromEntries(
        Array.from({ length: 200 }, (_, n) => [`/f${n}`, file(n, 0)]),
      );
      return edits(stack, folder, 50, files, (state, step) => ({
        ...state,
        [`/f${step * 3}`]: file(step * 3, step + 1),
      }));
    },
  },
  binary: {
    title: "1 MB of bytes in the state, 30 steps that leave it alone",
    run: async (stack, folder) => {
      const bytes = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 7919) >> 5);
      return edits(stack, folder, 30, { bytes, n: 0 }, (state, n) => ({ ...state, n }));
    },
  },
  agent: {
    title: "createAgent, three tool calls a turn, 40 turns, 2 kB questions",
    run: async (stack, folder) => {
      const { saver, close } = stack.open(path.join(folder, "agent.db"));
      const agent = stack.harden(toolAgent(saver));
      const times: number[] = [];
      for (let i = 0; i < 40; i++) {
        const start = processorMs();
        await agent.invoke({ messages: [new HumanMessage("Q".repeat(2000))] } as never, CONFIG);
        times.push(processorMs() - start);
      }
      close();
      return { "ms a turn, turns 21–40": quantile(times.slice(20), 0.5), bytes: bytesIn(folder) };
    },
  },
  listing: {
    title: "500 checkpoints of a chat, listed",
    run: async (stack, folder) => {
      const { saver, close } = stack.open(path.join(folder, "listing.db"));
      await turnsOf(stack.harden(chatGraph(saver)))(1, 167);
      const heap = await heapBytes();
      const start = processorMs();
      let first = 0;
      let most = 0;
      let count = 0;
      for await (const _ of saver.list(CONFIG, { limit: 500 })) {
        if (count++ === 0) first = processorMs() - start;
        if (count % 100 === 0) most = Math.max(most, (await heapBytes()) - heap);
      }
      close();
      return { "ms to the first": rounded(first), "heap bytes while listing": Math.max(0, most) };
    },
  },
  threads: {
    title: "10,000 threads, each touched once",
    run: async (stack, folder) => {
      const { saver, close } = stack.open(path.join(folder, "threads.db"));
      const touch = async (from: number, to: number): Promise<number> => {
        for (let i = from; i < to; i++) {
          const checkpoint = { ...emptyCheckpoint(), id: uuid6(i & 0x3fff) };
          checkpoint.channel_values = {
            messages: [new HumanMessage(TEXT), new HumanMessage(`${i}`)],
          };
          checkpoint.channel_versions = { messages: 1 };
          const configurable = { thread_id: `t${i}`, checkpoint_ns: "" };
          await saver.put(
            { configurable },
            checkpoint,
            { source: "loop", step: 0, parents: {} },
            { messages: 1 },
          );
          await saver.getTuple({ configurable });
        }
        return heapBytes();
      };
      const few = await touch(0, 1000);
      const many = await touch(1000, 10_000);
      close();
      return { "heap bytes after 1,000": few, "heap bytes after 10,000": many };
    },
  },
};

/** Runs turns of a chat and gives the median of their times. */
function turnsOf(graph: Runs): (from: number, to: number) => Promise<number> {
  return async (from, to) => {
    const times: number[] = [];
    for (let i = from; i <= to; i++) {
      const messages = [new HumanMessage({ content: `${TEXT}${i}`, id: `h${i}` })];
      const start = processorMs();
      await graph.invoke({ messages } as never, CONFIG);
      times.push(processorMs() - start);
    }
    return quantile(times, 0.5);
  };
}

async function edits<T>(
  stack: Stack,
  folder: string,
  steps: number,
  value: T,
  edit: (value: T, step: number) => T,
): Promise<Figures> {
  const { saver, close } = stack.open(path.join(folder, "edits.db"));
  const graph = stack.harden(stepsGraph(saver, steps, edit));
  await graph.invoke({ value, step: 0 } as never, { ...CONFIG, recursionLimit: 2 * steps });
  close();
  return { bytes: bytesIn(folder) };
}
