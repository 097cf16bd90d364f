import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Annotation, MemorySaver, START } from "@langchain/langgraph";
import { adoptHost, RESOURCE_HOST, type ResourceHost } from "@threadkeep/serde/policy";
import { afterEach, describe, expect, it } from "vitest";
import { ThreadEnds } from "../../src/harden/thread-ends.ts";
import { SqliteSaver, withAllowlist, wrapSaver } from "../../src/index.ts";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const config = { configurable: { thread_id: "1" } };

interface Deleting {
  deleteThread(threadId: string): Promise<void>;
}

/** A resource that counts its ends. */
function counting(): { readonly resource: object; readonly host: ResourceHost; ended: string[] } {
  const open = new Map<string, object>();
  const ended: string[] = [];
  const host: ResourceHost = {
    keys: ["conn"],
    ensure: async (id) => {
      if (!open.has(id)) open.set(id, {});
      return { conn: open.get(id) };
    },
    peek: (id) => (open.has(id) ? { conn: open.get(id) } : {}),
    retain: () => undefined,
    release: () => undefined,
    dispose: async (id) => {
      if (open.delete(id)) ended.push(id);
    },
  };
  return { resource: { [RESOURCE_HOST]: host }, host, ended };
}

const graphOver = (checkpointer: unknown): LooseCompiled =>
  looseGraph(Annotation.Root({ v: Annotation<number>() }))
    .addNode("n", () => ({ v: 1 }))
    .addEdge(START, "n")
    .compile({ checkpointer });

const opened: SqliteSaver[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((saver) => saver.close()));
});
function sqlite(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(":memory:");
  opened.push(saver);
  return saver;
}

class Money {}
const raw = new MemorySaver();

const deleting: [name: string, given: () => object, by: (saver: object) => object][] = [
  ["a SqliteSaver", sqlite, (saver) => saver],
  [
    "a SqliteSaver that was given types",
    sqlite,
    (saver) => (saver as SqliteSaver).withAllowlist({ Money }),
  ],
  ["a wrapped saver", () => wrapSaver(new MemorySaver()), (saver) => saver],
  ["another wrapper of the same saver", () => raw, () => wrapSaver(raw)],
];

describe.each(deleting)("a thread that is deleted through %s", (_name, given, by) => {
  it("ends the objects of a hardened graph, once, and of no other thread", async () => {
    const { resource, ended } = counting();
    const saver = given();
    const graph = withAllowlist(graphOver(saver), { types: { Money }, resources: [resource] });
    await graph.invoke({}, config);
    await graph.invoke({}, { configurable: { thread_id: "2" } });
    await (by(saver) as Deleting).deleteThread("1");
    expect(ended).toEqual(["1"]);
    await graph.invoke({}, config);
    await (graph.checkpointer as Deleting).deleteThread("1");
    expect(ended).toEqual(["1", "1"]);
  });

  it("ends those of a resource that the graph was given later", async () => {
    const [early, late] = [counting(), counting()];
    const saver = given();
    const graph = withAllowlist(graphOver(saver), { resources: [early.resource] });
    withAllowlist(graph, { resources: [late.resource] });
    await graph.invoke({}, config);
    await (by(saver) as Deleting).deleteThread("1");
    expect([early.ended, late.ended]).toEqual([["1"], ["1"]]);
  });

  it("ends those of a graph inside of a node, hardened or not", async () => {
    const [own, adopted] = [counting(), counting()];
    const saver = given();
    const child = withAllowlist(graphOver(undefined), { resources: [own.resource] });
    const parent = looseGraph(Annotation.Root({ v: Annotation<number>() }))
      .addNode("child", child)
      .addEdge(START, "child")
      .compile({ checkpointer: saver });
    withAllowlist(parent);
    adoptHost(parent.checkpointer as object, adopted.host);
    await adopted.host.ensure("1");
    await parent.invoke({}, config);
    await (by(saver) as Deleting).deleteThread("1");
    expect([own.ended, adopted.ended]).toEqual([["1"], ["1"]]);
  });
});

describe("what ends with threads", () => {
  it("is forgotten with its graph", async () => {
    const ends = new ThreadEnds();
    const join = (count: number): void => {
      for (let i = 0; i < count; i++) {
        const member = { dispose: async () => undefined };
        ends.join(member);
        ends.join(member);
      }
    };
    join(100);
    expect(ends.size).toBe(100);
    // A WeakRef keeps its object until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    join(200);
    expect(ends.size).toBeLessThan(230);
  });

  it("all ends, whatever fails", async () => {
    const ends = new ThreadEnds();
    const ended: string[] = [];
    const failing = { dispose: () => Promise.reject(new Error("no")) };
    const other = { dispose: async (id: string) => void ended.push(id) };
    ends.join(failing);
    ends.join(other);
    await expect(ends.dispose("1")).rejects.toThrow("no");
    expect(ended).toEqual(["1"]);
  });
});
