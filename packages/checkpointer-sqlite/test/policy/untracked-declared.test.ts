import { Command, END, interrupt, Send, START } from "@langchain/langgraph";
import { afterEach, describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";
import { type Declaration, declarations } from "./declarations.ts";
import { SECRET, type Session, sessions } from "./sessions.ts";
import { type Storage, storages } from "./storages.ts";

interface State {
  readonly session?: Session;
  readonly seen?: string;
}

const opened: Storage[] = [];
afterEach(() => Promise.all(opened.splice(0).map((storage) => storage.close())));

const openSession = sessions["an instance"]!.open;

/** Every node reports what it finds; the worker waits for a person. */
function build({ state, options }: Declaration, storage: Storage, found: unknown[]): LooseCompiled {
  const graph = looseGraph(state)
    .addNode("open", () => ({ session: openSession() }))
    .addNode("use", ({ session }: State) => ({ seen: session?.run(), more: { deep: [session] } }))
    .addNode("work", ({ session }: State) => {
      found.push(session);
      interrupt("go on?");
      return { seen: session === undefined ? "worked without" : "worked with" };
    })
    .addEdge(START, "open")
    .addEdge("open", "use")
    .addConditionalEdges("use", (all: State) => [new Send("work", { ...all })], ["work"])
    .addEdge("work", END)
    .compile({ checkpointer: storage.open() });
  return withAllowlist(graph, options) as LooseCompiled;
}

describe.each(Object.entries(storages))("untracked state over %s", (_storage, openStorage) => {
  it.each(Object.entries(declarations))(
    "leaves no byte and stays in reach of the run, declared by %s",
    async (_name, declare) => {
      const storage = openStorage();
      opened.push(storage);
      for (const durability of ["sync", "exit"] as const) {
        const config = { configurable: { thread_id: durability }, durability };
        const found: unknown[] = [];
        const graph = build(declare(), storage, found);
        await graph.invoke({ session: openSession() }, config);
        expect(found).toEqual([openSession()]);
        const waiting = await graph.getState(config);
        expect(waiting.values).toEqual({ seen: "ran", more: { deep: [undefined] } });
        expect(waiting.next).toEqual(["work"]);

        const resumed = build(declare(), storage, found);
        const result = await resumed.invoke(new Command({ resume: "yes" }), config);
        expect(result.seen).toBe("worked without");
        await resumed.updateState(config, { session: openSession(), seen: "updated" }, "use");
      }
      expect(storage.bytes()).toContain("worked without");
      expect(storage.bytes()).toContain("updated");
      expect(storage.bytes()).not.toContain(SECRET);
    },
  );
});
