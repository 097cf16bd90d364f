import { Annotation, MessagesAnnotation, START, StateSchema } from "@langchain/langgraph";
import { RESOURCE_HOST, untracked } from "@threadkeep/serde/policy";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as z3 from "zod/v3";
import { SqliteSaver, withAllowlist } from "../../src/index.ts";
import { looseGraph } from "../loose-graph.ts";

/** What a resource of that key looks like to a graph. */
const resource = (key: string): object => ({
  [RESOURCE_HOST]: {
    keys: [key],
    ensure: async () => ({}),
    peek: () => ({}),
    retain: () => undefined,
    release: () => undefined,
    dispose: async () => undefined,
  },
});

function harden(state: unknown, key: string): object {
  const graph = looseGraph(state)
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile();
  return withAllowlist(graph, { resources: [resource(key)] });
}

describe("a resource", () => {
  it.each<[string, unknown, string]>([
    ["a text", z.object({ db: z.string() }), "db"],
    ["an optional number", z.object({ db: z.number().optional() }), "db"],
    ["a list with a default", z.object({ db: z.array(z.any()).default([]) }), "db"],
    ["text or a number", z.object({ db: z.union([z.string(), z.number()]) }), "db"],
    ["a date of Zod 3", z3.object({ db: z3.date().nullable() }), "db"],
    ["a field of a StateSchema", new StateSchema({ db: z.enum(["a", "b"]) }), "db"],
    ["a history", MessagesAnnotation, "messages"],
  ])("can't have the key of a field that is declared as data: %s", (_field, state, key) => {
    expect(() => harden(state, key)).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: expect.stringContaining(`"${key}"`),
      }),
    );
  });

  it.each<[string, unknown]>([
    ["anything", z.object({ db: z.any() })],
    ["an instance", z.object({ db: z.instanceof(Map).optional() })],
    ["an object or nothing", z.object({ db: z.union([z.object({}), z.null()]) })],
    ["an untracked text", z.object({ db: untracked(z.string()) })],
    ["an Annotation", Annotation.Root({ db: Annotation<object>() })],
    [
      "an untracked one with a reducer",
      Annotation.Root({ db: untracked(Annotation<object[]>({ reducer: (_a, b) => b })) }),
    ],
  ])("may have the key of a field that can hold it: %s", (_field, state) => {
    expect(() => harden(state, "db")).not.toThrow();
  });

  it.each<[string, unknown]>([
    ["a text", "data"],
    ["a number", 5],
    ["a list", ["data"]],
  ])("is told of %s that a node writes under its key", async (_what, value) => {
    const graph = withAllowlist(
      looseGraph(Annotation.Root({ db: Annotation<unknown>() }))
        .addNode("a", () => ({ db: value }))
        .addEdge(START, "a")
        .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }),
      { resources: [resource("db")] },
    );
    await expect(graph.invoke({}, { configurable: { thread_id: "1" } })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/"db" is a resource's/) as string,
    });
  });
});
