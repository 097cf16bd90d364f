import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteSaver, withAllowlist } from "../src/index.ts";
import { looseGraph } from "./loose-graph.ts";

let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-harden-"));
});
afterEach(async () => {
  await Promise.all(savers.splice(0).map((saver) => saver.close()));
  rmSync(folder, { recursive: true, force: true });
});

function open(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
  savers.push(saver);
  return saver;
}

describe("hardening", () => {
  const State = Annotation.Root({ v: Annotation<unknown>(), keep: Annotation<string>() });
  const config = { configurable: { thread_id: "1" } };
  const graphOver = (saver: unknown, value: () => unknown) =>
    looseGraph(State)
      .addNode("first", () => ({ keep: "kept" }))
      .addNode("second", () => ({ v: value() }))
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END)
      .compile({ checkpointer: saver });

  class Money {
    readonly cents: bigint = 5n;
  }

  it("refuses what can't be stored, names the place, and keeps the checkpoint before", async () => {
    const graph = withAllowlist(graphOver(open(), () => ({ deep: [{ fn: () => 1 }] })));
    await expect(graph.invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: "v.deep[0].fn",
    });
    expect((await graph.getState(config)).values).toEqual({ keep: "kept" });
  });

  it("refuses a class that is not in types, and keeps one that is", async () => {
    await expect(
      withAllowlist(graphOver(open(), () => new Money())).invoke({}, config),
    ).rejects.toMatchObject({
      code: "unregistered_class",
      path: "v",
    });
    const graph = withAllowlist(
      graphOver(open(), () => new Money()),
      { types: { Money } },
    );
    await graph.invoke({}, { configurable: { thread_id: "2" } });
    const { values } = await withAllowlist(
      graphOver(open(), () => 0),
      { types: { Money } },
    ).getState({ configurable: { thread_id: "2" } });
    expect(values.v).toBeInstanceOf(Money);
    await expect(
      withAllowlist(graphOver(open(), () => 0)).getState({ configurable: { thread_id: "2" } }),
    ).rejects.toMatchObject({
      code: "type_not_allowed",
    });
  });

  it("changes nothing when done twice", () => {
    const graph = withAllowlist(graphOver(open(), () => 1));
    const { checkpointer } = graph;
    expect(withAllowlist(graph)).toBe(graph);
    expect(graph.checkpointer).toBe(checkpointer);
  });

  it("holds for a saver that is assigned later, and for copies", async () => {
    const graph = withAllowlist(graphOver(undefined, () => () => 1));
    graph.checkpointer = open() as never;
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unsupported_type" });
    const copy = graph.withConfig({ configurable: { thread_id: "3" } });
    await expect(copy.invoke({})).rejects.toMatchObject({ code: "unsupported_type", path: "v" });
  });

  it("wraps a saver of another package", async () => {
    const memory = new MemorySaver();
    const graph = withAllowlist(graphOver(memory, () => new Map([[new Date(5), 1n]])));
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values.v).toEqual(new Map([[new Date(5), 1n]]));
  });

  it.each([
    ["nothing", undefined],
    ["a builder", new StateGraph(State)],
    ["a plain object", {}],
  ])("refuses %s", (_name, target) => {
    expect(() => withAllowlist(target as never)).toThrow(
      expect.objectContaining({ code: "unsupported" }),
    );
  });
});

describe("configs", () => {
  it.each([
    ["a number", 5],
    ["an object", {}],
    ["an empty string", ""],
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "a\ud800"],
    ["a very long string", "x".repeat(5000)],
  ])("refuses %s as thread_id and stores nothing", async (_name, threadId) => {
    const saver = open();
    const graph = looseGraph(Annotation.Root({ v: Annotation<number>() }))
      .addNode("a", () => ({ v: 1 }))
      .addEdge(START, "a")
      .compile({ checkpointer: saver });
    await expect(
      graph.invoke({}, { configurable: { thread_id: threadId as string } }),
    ).rejects.toMatchObject({ code: "invalid_config" });
    for await (const tuple of saver.list({})) expect.unreachable(JSON.stringify(tuple));
  });

  it("says that thread_id is missing", async () => {
    const graph = looseGraph(Annotation.Root({ v: Annotation<number>() }))
      .addNode("a", () => ({ v: 1 }))
      .addEdge(START, "a")
      .compile({ checkpointer: open() });
    await expect(graph.invoke({}, { configurable: {} })).rejects.toThrow(/thread_id is missing/);
  });
});
