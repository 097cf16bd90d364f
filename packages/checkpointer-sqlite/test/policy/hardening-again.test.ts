import { Annotation, END, START } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph } from "../loose-graph.ts";
import { builder, config, expectClean, harden, State, types } from "./hardened.ts";
import { makeAgent } from "./live-agent.ts";
import { SECRET } from "./sessions.ts";
import { sqliteFile, type Storage } from "./storages.ts";

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

describe("hardening again", () => {
  it("changes nothing without options", async () => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    const { checkpointer } = graph;
    const before = Object.getOwnPropertyNames(graph).map((name) => [
      name,
      (graph as unknown as Record<string, unknown>)[name],
    ]);
    expect(withAllowlist(graph)).toBe(graph);
    const after = Object.getOwnPropertyNames(graph).map((name) => [
      name,
      (graph as unknown as Record<string, unknown>)[name],
    ]);
    expect(after).toEqual(before);
    expect(graph.checkpointer).toBe(checkpointer);
    await graph.invoke({}, config);
    expectClean(storage);
  });

  it("adds types, and takes none away", async () => {
    class Money {
      readonly cents: number = 5;
    }
    class Cart {
      readonly items: number[] = [1];
    }
    const graph = looseGraph(State)
      .addNode("a", () => ({ more: [new Money(), new Cart()] }))
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile({ checkpointer: storage.open() });
    withAllowlist(graph, { types: { Money } });
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unregistered_class" });
    withAllowlist(graph, { types: { Cart } });
    await graph.invoke({}, { configurable: { thread_id: "2" } });
    const { values } = await graph.getState({ configurable: { thread_id: "2" } });
    expect(values.more).toEqual([new Money(), new Cart()]);
  });

  it("adds fields", async () => {
    const graph = looseGraph(
      Annotation.Root({ a: Annotation<unknown>(), b: Annotation<unknown>() }),
    )
      .addNode("n", () => ({ a: SECRET, b: SECRET }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile({ checkpointer: storage.open() });
    withAllowlist(graph, { untracked: ["a"] });
    withAllowlist(graph, { private: ["b"] });
    withAllowlist(graph, { untracked: ["b"] });
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values).toEqual({});
    expectClean(storage, "branch:to:n");
  });

  it("takes on an agent whose graph was hardened before", async () => {
    const agent = makeAgent(storage.open());
    withAllowlist(agent.graph, { types });
    withAllowlist(agent, { types });
    await agent.withConfig({ tags: ["copy"] }).invoke({ messages: "go" }, config);
    expectClean(storage, "called");
  });
});
