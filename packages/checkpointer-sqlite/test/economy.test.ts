import path from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { SqliteSaver as StockSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { describe, expect, it } from "vitest";
import { chatGraph, stepsGraph, TEXT, toolAgent } from "../bench/graphs.ts";
import { bytesIn } from "../bench/measure.ts";
import { SqliteSaver, withAllowlist } from "../src/index.ts";
import { temporaryFolders } from "./support/temp.ts";

const CONFIG = { configurable: { thread_id: "1" }, recursionLimit: 200 };

describe("bytes on disk", () => {
  const folder = temporaryFolders();

  async function ours(run: (saver: SqliteSaver) => Promise<unknown>): Promise<number> {
    const place = folder();
    const saver = SqliteSaver.fromConnString(path.join(place, "ours.db"));
    await run(saver);
    await saver.close();
    return bytesIn(place);
  }

  async function stock(run: (saver: StockSaver) => Promise<unknown>): Promise<number> {
    const place = folder();
    const saver = StockSaver.fromConnString(path.join(place, "stock.db"));
    await run(saver);
    saver.db.close();
    return bytesIn(place);
  }

  async function chat(saver: SqliteSaver, turns: number): Promise<void> {
    const graph = withAllowlist(chatGraph(saver) as never) as ReturnType<typeof chatGraph>;
    for (let i = 0; i < turns; i++) {
      const messages = [new HumanMessage({ content: `${TEXT}${i}`, id: `h${i}` })];
      await graph.invoke({ messages } as never, CONFIG);
    }
  }

  it("grow by the same for each turn of a chat", async () => {
    const few = await ours((saver) => chat(saver, 60));
    const many = await ours((saver) => chat(saver, 180));
    expect((many - few) / 120).toBeLessThan(7000);
    expect((many - few) / 120).toBeLessThan((1.2 * few) / 60);
  });

  it("are a fiftieth of the stock saver's for an agent with three tool calls a turn", async () => {
    const run = async (saver: SqliteSaver | StockSaver): Promise<void> => {
      const agent = toolAgent(saver);
      if (saver instanceof SqliteSaver) withAllowlist(agent as never);
      for (let i = 0; i < 40; i++)
        await agent.invoke({ messages: [new HumanMessage("Q".repeat(2000))] } as never, CONFIG);
    };
    expect((await ours(run)) / (await stock(run))).toBeLessThan(0.02);
  });

  it("are a fiftieth where one of 200 files is edited in each step", async () => {
    const file = (n: number, edit: number): string =>
      `${n} ${edit} `.padEnd(5000, "text of a file ");
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`/f${n}`, file(n, 0)]));
    const run = (saver: SqliteSaver | StockSaver): Promise<unknown> =>
      stepsGraph<Record<string, string>>(saver, 50, (state, step) => ({
        ...state,
        [`/f${step * 3}`]: file(step * 3, step + 1),
      })).invoke({ value: files, step: 0 } as never, CONFIG);
    expect((await ours(run)) / (await stock(run))).toBeLessThan(0.02);
  });

  it("are those of a megabyte once, in whatever steps it stands", async () => {
    const bytes = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 7919) >> 5);
    const run = (saver: SqliteSaver): Promise<unknown> =>
      stepsGraph(saver, 30, (state: object, n) => ({ ...state, n })).invoke(
        { value: { bytes, n: 0 }, step: 0 } as never,
        CONFIG,
      );
    expect(await ours(run)).toBeLessThan(1.1 * bytes.length);
  });
});
