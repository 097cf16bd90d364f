import { Annotation, Command, END, interrupt, MemorySaver, START } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { config, expectClean, harden, open, State } from "./hardened.ts";
import { SECRET, type Session } from "./sessions.ts";
import { sqliteFile, type Storage } from "./storages.ts";

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

describe("subgraphs", () => {
  const childState = Annotation.Root({
    handle: untracked(Annotation<Session>()),
    more: Annotation<unknown>(),
  });
  const child = (): LooseBuilder =>
    looseGraph(childState)
      .addNode("in", () => {
        const handle = open();
        return { handle, more: { own: handle } };
      })
      .addNode("ask", ({ handle }: { handle?: Session }) => ({
        more: [interrupt("sure?"), handle === undefined ? "without" : "with"],
      }))
      .addEdge(START, "in")
      .addEdge("in", "ask")
      .addEdge("ask", END);
  const around = (node: unknown): LooseBuilder =>
    looseGraph(State).addNode("child", node).addEdge(START, "child").addEdge("child", END);

  const declared: Record<string, (saver: object) => LooseCompiled> = {
    "a declared one": (saver) => harden(around(child().compile()).compile({ checkpointer: saver })),
    "one that keeps its state": (saver) =>
      harden(around(child().compile({ checkpointer: true })).compile({ checkpointer: saver })),
    "one with a saver of its own": (saver) =>
      harden(
        around(child().compile({ checkpointer: new MemorySaver() })).compile({
          checkpointer: saver,
        }),
      ),
    "one that was hardened before": (saver) =>
      harden(around(harden(child().compile())).compile({ checkpointer: saver })),
    "one inside of one": (saver) =>
      harden(around(around(child().compile()).compile()).compile({ checkpointer: saver })),
    "one that is named beside a function": (saver) => {
      const inner = child().compile();
      const graph = looseGraph(State)
        .addNode("child", (state: object) => inner.invoke(state), { subgraphs: [inner] })
        .addEdge(START, "child")
        .addEdge("child", END);
      return harden(graph.compile({ checkpointer: saver }));
    },
    "a hardened one in a plain graph": (saver) =>
      around(harden(child().compile())).compile({ checkpointer: saver }),
    "a hardened one that a plain graph's node calls": (saver) => {
      const inner = harden(child().compile());
      return around((state: object) => inner.invoke(state)).compile({ checkpointer: saver });
    },
    "a hardened one with its own saver in a graph without": (saver) => {
      const inner = harden(child().compile({ checkpointer: saver }));
      const config = { configurable: { thread_id: "1" } };
      return around((state: object) => inner.invoke(state, config)).compile();
    },
  };

  it.each(Object.entries(declared))("are kept clean: %s", async (name, make) => {
    const saver = storage.open();
    const run = async (input: unknown): Promise<unknown> => make(saver).invoke(input, config);
    if (name.endsWith("without")) {
      await run({}).catch(() => undefined);
      expectClean(storage, "handle");
      return;
    }
    await run({});
    expect(storage.bytes()).not.toContain(SECRET);
    const result = (await run(new Command({ resume: "yes" }))) as { more: unknown };
    expect(result.more).toEqual(["yes", "without"]);
    expectClean(storage, "without");
  });

  it("keep their policy where a parent uses the same name for something else", async () => {
    const inner = looseGraph(
      Annotation.Root({ session: Annotation<unknown>(), more: Annotation<unknown>() }),
    )
      .addNode("in", () => ({ session: "the child's own text", more: "child" }))
      .addEdge(START, "in")
      .addEdge("in", END)
      .compile();
    const graph = harden(
      looseGraph(State)
        .addNode("child", async () => ({ more: await inner.invoke({}) }))
        .addEdge(START, "child")
        .addEdge("child", END)
        .compile({ checkpointer: storage.open() }),
    );
    await graph.invoke({}, config);
    expectClean(storage, "the child's own text");
  });
});
