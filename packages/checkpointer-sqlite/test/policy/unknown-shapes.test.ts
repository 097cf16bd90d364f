import { Annotation, MemorySaver, START } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph } from "../loose-graph.ts";

const State = Annotation.Root({ log: Annotation<string>() });

const makeGraph = (): object =>
  looseGraph(State)
    .addNode("a", () => ({ log: "ran" }))
    .addEdge(START, "a")
    .compile({ checkpointer: new MemorySaver() });

const makeAgent = (): object => createAgent({ model: fakeModel(), tools: [] });

/** As a LangGraph would look that has no such member. */
const without = (target: object, member: string): object =>
  new Proxy(target, {
    get(from, key) {
      if (key === member) return undefined;
      const value: unknown = Reflect.get(from, key, from);
      return typeof value === "function" ? value.bind(from) : value;
    },
    has: (from, key) => key !== member && Reflect.has(from, key),
  });

describe("a graph that is built in a way that is not known", () => {
  it.each([
    ["a graph", "_streamIterator", makeGraph],
    ["a graph", "getState", makeGraph],
    ["a graph", "getStateHistory", makeGraph],
    ["a graph", "bulkUpdateState", makeGraph],
    ["a graph", "withConfig", makeGraph],
    ["a graph", "getSubgraphs", makeGraph],
    ["a graph", "channels", makeGraph],
    ["a graph", "nodes", makeGraph],
    ["a graph", "checkpointer", makeGraph],
    ["an agent", "withConfig", makeAgent],
    ["an agent", "checkpointer", makeAgent],
  ])("is refused: %s without its %s", (_kind, member, make) => {
    expect(() => withAllowlist(without(make(), member))).toThrow(
      expect.objectContaining({
        code: "unsupported",
        message: expect.stringMatching(
          new RegExp(
            `\\(no ${member}\\); known to work: @langchain/langgraph 1\\.\\d+ to 1\\.\\d+, langchain 1\\.\\d+ to 1\\.\\d+`,
          ),
        ),
      }),
    );
    expect(() => withAllowlist(make())).not.toThrow();
  });
});
