import { END, START } from "@langchain/langgraph";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";
import { harden, State } from "./hardened.ts";

describe("a node cache", () => {
  const cached = { cachePolicy: { keyFunc: () => "same" } };

  it("gives back exactly what a task wrote, also one that is given later", async () => {
    let runs = 0;
    const graph = harden(
      looseGraph(State)
        .addNode("a", () => ({ more: [++runs, new Date(5), 2n ** 70n] }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile(),
    ) as LooseCompiled & { cache?: unknown };
    graph.cache = new InMemoryCache();
    const first = await graph.invoke({});
    expect(await graph.invoke({})).toEqual(first);
    expect(first.more).toEqual([1, new Date(5), 2n ** 70n]);
  });

  it("is not mixed up with what a graph that is not hardened keeps in it", async () => {
    const cache = new InMemoryCache();
    const build = (): LooseCompiled =>
      looseGraph(State)
        .addNode("a", () => ({ more: "value" }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache });
    for (const graph of [harden(build()), build(), harden(build()), build()])
      expect((await graph.invoke({})).more).toBe("value");
    await (harden(build()) as unknown as { clearCache(): Promise<void> }).clearCache();
  });

  it("keeps nothing that can't be stored, and does not end the process for it", async () => {
    const cache = new InMemoryCache();
    const graph = harden(
      looseGraph(State)
        .addNode("a", () => ({ more: () => 1 }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache }),
    );
    expect(typeof (await graph.invoke({})).more).toBe("function");
    expect(typeof (await graph.invoke({})).more).toBe("function");
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("runs a task again whose kept result is of a class that is not allowed here", async () => {
    const cache = new InMemoryCache();
    class Money {
      readonly cents: number = 5;
    }
    const build = (): LooseCompiled =>
      looseGraph(State)
        .addNode("a", () => ({ more: new Money() }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache });
    await harden(build(), { types: { Money } }).invoke({});
    expect((await harden(build(), { types: {} }).invoke({})).more).toBeInstanceOf(Money);
  });
});
