import { MemorySaver, START } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { SqliteSaver, withAllowlist, wrapSaver } from "../../src/index.ts";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";
import { builder, config, harden, State } from "./hardened.ts";
import { SECRET } from "./sessions.ts";
import { memory } from "./storages.ts";

describe("what can't be hardened is refused with the reason", () => {
  const plain = (): LooseCompiled => builder().compile();
  const refusals: [name: string, make: () => unknown, code: string, message: RegExp][] = [
    ["nothing", () => withAllowlist(undefined as never), "unsupported", /compiled graph/],
    ["a builder", () => withAllowlist(looseGraph(State)), "unsupported", /compiled graph/],
    ["a plain object", () => withAllowlist({}), "unsupported", /compiled graph/],
    [
      "a remote graph",
      () => withAllowlist({ lg_is_pregel: true, graphId: "remote" }),
      "unsupported",
      /on its server/,
    ],
    [
      "a saver with another serializer",
      () =>
        harden(
          builder().compile({
            checkpointer: new SqliteSaver(new Database(":memory:"), new MemorySaver().serde),
          }),
        ),
      "unsupported",
      /serializer/,
    ],
    [
      "what is no saver",
      () => {
        harden(plain()).checkpointer = {};
      },
      "unsupported",
      /saver/,
    ],
    [
      "an untracked field that there is not",
      () => harden(plain(), { untracked: ["nope"] }),
      "invalid_options",
      /"nope"/,
    ],
    [
      "a private field that there is not",
      () => harden(plain(), { private: ["toString"] }),
      "invalid_options",
      /"toString"/,
    ],
    [
      "a resource that is none",
      () => harden(plain(), { resources: [{}] }),
      "invalid_options",
      /resource\(\)/,
    ],
    [
      "a mark inside of a field",
      () =>
        harden(
          looseGraph(z.object({ deep: z.object({ er: z.array(untracked()) }) }))
            .addNode("a", () => ({}))
            .addEdge(START, "a")
            .compile(),
        ),
      "unsupported",
      /deep\.er\[\]/,
    ],
  ];
  it.each(refusals)("%s", (_name, make, code, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    );
  });

  it("an unhardened saver that a parent lends, at the first call", async () => {
    const foreign = new SqliteSaver(new Database(":memory:"), new MemorySaver().serde);
    const parent = looseGraph(State)
      .addNode("child", harden(builder().compile()))
      .addEdge(START, "child")
      .compile({ checkpointer: foreign });
    await expect(parent.invoke({}, config)).rejects.toMatchObject({ code: "unsupported" });
  });

  it("takes a wrapped saver as it is", async () => {
    const own = memory();
    const graph = harden(builder().compile({ checkpointer: wrapSaver(own.open() as MemorySaver) }));
    await graph.invoke({}, config);
    expect(own.bytes()).toContain("worked");
    expect(own.bytes()).not.toContain(SECRET);
  });
});
