import { Annotation, START } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { describe, expect, it } from "vitest";
import { SqliteSaver, withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";

interface Item {
  readonly n: number;
  readonly handle?: object;
}

const State: unknown = Annotation.Root({
  items: Annotation<Item[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
  session: untracked(Annotation<object>({ reducer: (_old, value) => value })),
});

describe("an object that becomes live after it was stored", () => {
  it.each([0, 20])("stays out of what is stored next, also %i live objects later", async (more) => {
    const handle = { port: "a port of some length" };
    const others = Array.from({ length: more }, (_, i) => ({ port: i }));
    let builder = looseGraph(State)
      .addNode("first", () => ({ items: [{ n: 1, handle }, { n: 2 }] }))
      .addNode("second", () => ({ items: [{ n: 3 }] }))
      .addNode("third", () => ({ session: handle, items: [{ n: 4 }] }))
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", "third");
    let last = "third";
    others.forEach((session, i) => {
      builder = builder.addNode(`more${i}`, () => ({ session })).addEdge(last, `more${i}`);
      last = `more${i}`;
    });
    builder = builder.addNode("last", () => ({ items: [{ n: 5 }] })).addEdge(last, "last");
    const saver = SqliteSaver.fromConnString(":memory:");
    const graph = withAllowlist(
      builder.compile({ checkpointer: saver }) as object,
    ) as LooseCompiled;
    const config = { configurable: { thread_id: "1" }, durability: "sync", recursionLimit: 50 };
    await graph.invoke({}, config as never);
    const stored = (await saver.getTuple(config))?.checkpoint.channel_values.items;
    expect(stored).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }]);
    await saver.close();
  });
});
