import { Command, END, interrupt, Send, START } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";
import { config, harden, State } from "./hardened.ts";
import { type Storage, storages } from "./storages.ts";

/** A live object that no untracked field ever held. */
const stranger = (): object => ({ deep: [{ handle: () => 1 }] });

/** A graph whose node ends in one of the ways into storage. */
function ending(
  node: (state: object) => unknown,
  route: (state: object) => unknown = () => END,
): (saver: object) => LooseCompiled {
  return (saver) =>
    harden(
      looseGraph(State)
        .addNode("before", () => ({ more: "stored before" }))
        .addNode("a", node, { ends: ["w", END] })
        .addNode("w", () => ({}))
        .addEdge(START, "before")
        .addEdge("before", "a")
        .addConditionalEdges("a", route, ["w", END])
        .compile({ checkpointer: saver }),
    );
}

const ways: Readonly<Record<string, { make: (saver: object) => LooseCompiled; path: string }>> = {
  "a write": { make: ending(() => ({ more: stranger() })), path: "more.deep[0].handle" },
  "a write to a private field": {
    make: ending(() => ({ token: stranger() })),
    path: "token.deep[0].handle",
  },
  "a Send": {
    make: ending(
      () => ({}),
      () => [new Send("w", { more: stranger() })],
    ),
    path: "more.deep[0].handle",
  },
  "a private key of a Send": {
    make: ending(
      () => ({}),
      () => [new Send("w", { token: stranger() })],
    ),
    path: "token.deep[0].handle",
  },
  "a Command's update": {
    make: ending(() => new Command({ update: { more: stranger() }, goto: END })),
    path: "more.deep[0].handle",
  },
  "an interrupt": {
    make: ending(() => ({ more: interrupt(stranger()) as unknown })),
    path: "deep[0].handle",
  },
};

describe.each(Object.entries(storages))("another live object over %s", (_storage, openStorage) => {
  let storage: Storage;
  beforeEach(() => {
    storage = openStorage();
  });
  afterEach(() => storage.close());

  it.each(Object.entries(ways))("is refused with its path in %s", async (_way, { make, path }) => {
    await expect(make(storage.open()).invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: expect.stringContaining(path),
    });
    // The step before is what the thread has.
    const { values } = await make(storage.open()).getState(config);
    expect(values).toEqual({ more: "stored before" });
  });

  it("is refused in an input and in an update", async () => {
    const graph = ending(() => ({}))(storage.open());
    const refusal = { code: "unsupported_type", path: expect.stringContaining("deep[0].handle") };
    await expect(graph.invoke({ more: stranger() }, config)).rejects.toMatchObject(refusal);
    await graph.invoke({}, config);
    await expect(graph.updateState(config, { more: stranger() }, "a")).rejects.toMatchObject(
      refusal,
    );
    expect((await graph.getState(config)).values).toEqual({ more: "stored before" });
  });
});
