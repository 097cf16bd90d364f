import { MemorySaver } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteSaver } from "../../src/index.ts";
import type { LooseCompiled } from "../loose-graph.ts";
import { builder, config, expectClean, harden, open } from "./hardened.ts";
import { SECRET } from "./sessions.ts";
import { sqliteFile, type Storage } from "./storages.ts";

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

/** Reads a run's events to their end. */
async function drain(events: unknown): Promise<number> {
  let count = 0;
  for await (const _event of (await events) as AsyncIterable<unknown>) count++;
  return count;
}

type Streaming = LooseCompiled & {
  streamEvents(input: unknown, config: object): AsyncIterable<unknown>;
  batch(inputs: unknown[], config: object): Promise<unknown>;
  bulkUpdateState(config: object, steps: unknown[]): Promise<unknown>;
};

const doors: Record<string, (graph: Streaming) => Promise<unknown>> = {
  invoke: (graph) => graph.invoke({ session: open() }, config),
  stream: (graph) => drain(graph.stream({ session: open() }, config)),
  "stream in every mode": (graph) =>
    drain(
      graph.stream(
        { session: open() },
        {
          ...config,
          streamMode: ["values", "updates", "debug", "messages", "custom", "checkpoints", "tasks"],
          subgraphs: true,
        },
      ),
    ),
  "streamEvents v2": (graph) =>
    drain(graph.streamEvents({ session: open() }, { ...config, version: "v2" })),
  "streamEvents v3": (graph) =>
    drain(graph.streamEvents({ session: open() }, { ...config, version: "v3" })),
  batch: (graph) => graph.batch([{ session: open() }], config),
  updateState: async (graph) => {
    await graph.updateState(config, { session: open(), more: "worked" }, "a");
    const session = open();
    await graph.updateState(config, { session, more: [session] }, "a");
  },
  bulkUpdateState: (graph) =>
    graph.bulkUpdateState(config, [
      { updates: [{ values: { session: open(), more: "worked" }, asNode: "a" }] },
      { updates: [{ values: { session: open() }, asNode: "a" }] },
    ]),
};

describe("a hardened graph", () => {
  it.each(Object.entries(doors))("keeps live objects out through %s", async (_name, enter) => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    await enter(graph as Streaming);
    expectClean(storage);
    const { values } = await graph.getState(config);
    expect(values.session).toBeUndefined();
    for await (const state of graph.getStateHistory(config))
      expect(JSON.stringify(state)).not.toContain(SECRET);
  });

  const savers: Record<string, (graph: LooseCompiled, saver: object) => LooseCompiled> = {
    "a saver given before": (graph, saver) => {
      graph.checkpointer = saver;
      return harden(graph);
    },
    "a saver given later": (graph, saver) => {
      const hardened = harden(graph);
      hardened.checkpointer = saver;
      return hardened;
    },
    "a saver given again": (graph, saver) => {
      graph.checkpointer = new MemorySaver();
      const hardened = harden(graph);
      hardened.checkpointer = undefined;
      hardened.checkpointer = saver;
      Object.assign(hardened, { checkpointer: hardened.checkpointer });
      return hardened;
    },
    "another hardened graph's saver": (graph, saver) => {
      const other = harden(builder().compile({ checkpointer: saver }));
      graph.checkpointer = other.checkpointer;
      return harden(graph);
    },
    "a copy made before a saver was given": (graph, saver) => {
      const copy = harden(graph).withConfig({ tags: ["copy"] });
      copy.checkpointer = saver;
      return copy;
    },
    "a copy of a copy": (graph, saver) => {
      graph.checkpointer = saver;
      return harden(graph)
        .withConfig({ tags: ["one"] })
        .withConfig({ tags: ["two"] });
    },
    "a saver lent by the copy's own config": (graph, saver) =>
      harden(graph).withConfig({ configurable: { __pregel_checkpointer: saver } }),
  };

  it.each(Object.entries(savers))("holds for %s", async (_name, make) => {
    const graph = make(builder().compile(), storage.open());
    await graph.invoke({ session: open() }, config);
    expectClean(storage);
  });

  it("guards a saver that is lent with the call", async () => {
    const graph = harden(builder().compile()) as Streaming;
    const saver = storage.open();
    const lent = {
      ...config,
      configurable: { ...config.configurable, __pregel_checkpointer: saver },
    };
    await graph.invoke({ session: open() }, lent);
    const session = open();
    await graph.updateState(lent, { session, more: [session] }, "a");
    expectClean(storage);
    expect((await graph.getState(lent)).values.token).toBe("private-of-a");
  });

  it("gives back the saver's own methods", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const graph = harden(builder().compile({ checkpointer: saver }));
    await graph.invoke({}, config);
    await (graph.checkpointer as SqliteSaver).close();
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "closed" });
  });

  it("may be used by two threads at once, each with its own objects", async () => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    const runs = Array.from({ length: 8 }, (_each, i) =>
      graph.invoke({ session: open() }, { configurable: { thread_id: `t${i}` } }),
    );
    await Promise.all(runs);
    expectClean(storage);
  });
});
