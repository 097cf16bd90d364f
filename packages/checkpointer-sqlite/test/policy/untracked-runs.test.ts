import { Annotation, Command, END, interrupt, START } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { afterEach, describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { SECRET, type Session } from "./sessions.ts";
import { closeAll, settings, type State, uses } from "./settings.ts";

afterEach(closeAll);

describe.each(settings)("untracked state ($name)", ({ set }) => {
  it("stays in a run that fails, and in the one that goes on", async () => {
    const { storage, config, open, builder, compile } = set();
    let fails = true;
    const make = (): LooseCompiled =>
      compile(
        builder()
          .addNode("open", () => ({ session: open() }))
          .addNode("use", (state: State) => {
            if (fails) throw Object.assign(new Error("down"), { session: state.session });
            return uses(state);
          })
          .addEdge(START, "open")
          .addEdge("open", "use")
          .addEdge("use", END),
      );
    await expect(make().invoke({ session: open() }, config)).rejects.toThrow("down");
    fails = false;
    const { log } = await make().invoke(null, config);
    // In exit mode nothing was stored of the failed run's steps but its last checkpoint.
    expect(log).toEqual(["no session"]);
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays in a run that is aborted", async () => {
    const { storage, config, open, builder, compile } = set();
    const control = new AbortController();
    const graph = compile(
      builder()
        .addNode("open", () => ({ session: open(), more: "written before" }))
        .addNode("wait", async () => {
          control.abort();
          await new Promise((resolve) => setTimeout(resolve, 5));
          return {};
        })
        .addEdge(START, "open")
        .addEdge("open", "wait")
        .addEdge("wait", END),
    );
    await expect(graph.invoke({}, { ...config, signal: control.signal })).rejects.toThrow(/Abort/i);
    expect(storage.bytes()).toContain("written before");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays in the moment when a thread is updated, forked and replayed", async () => {
    const { storage, config, open, builder, compile } = set();
    const graph = compile(
      builder()
        .addNode("a", () => ({ session: open(), log: ["a"] }))
        .addNode("b", uses)
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addEdge("b", END),
    );
    await graph.invoke({}, config);
    const update = { session: open(), more: { alias: open() } };
    await graph.updateState(config, { ...update, more: { alias: update.session } }, "a");
    expect((await graph.getState(config)).values.more).toEqual({});
    const past: { config: object; values: Record<string, unknown> }[] = [];
    for await (const state of graph.getStateHistory(config)) past.push(state);
    for (const { config: at, values } of past) {
      expect(values.session).toBeUndefined();
      const fork = await graph.updateState(at, { session: open(), more: "forked" }, "a");
      await graph.invoke(null, { ...config, ...fork });
      await graph.invoke(null, { ...config, ...at });
    }
    expect(past.length).toBeGreaterThan(1);
    expect(storage.bytes()).toContain("forked");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of a declared subgraph's checkpoints too", async () => {
    const { storage, config, open, builder, compile } = set();
    const make = (): LooseCompiled => {
      const child = builder()
        .addNode("in", (state: State) => ({ ...uses(state), more: { from: [state.session] } }))
        .addNode("ask", (state: State) => ({ log: [`${interrupt({ about: state.session })}`] }))
        .addEdge(START, "in")
        .addEdge("in", "ask")
        .addEdge("ask", END)
        .compile();
      return compile(
        builder()
          .addNode("open", () => ({ session: open() }))
          .addNode("child", child)
          .addNode("use", uses)
          .addEdge(START, "open")
          .addEdge("open", "child")
          .addEdge("child", "use")
          .addEdge("use", END),
      );
    };
    await make().invoke({}, config);
    const waiting = await make().getState(config, { subgraphs: true });
    expect(waiting.next).toEqual(["child"]);
    expect(JSON.stringify(waiting.tasks[0]?.state)).toContain("ran");
    const { log } = await make().invoke(new Command({ resume: "answer" }), config);
    expect(log).toEqual(expect.arrayContaining(["answer", "no session"]));
    expect(storage.bytes()).toContain("answer");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of the checkpoints of a graph that a node calls, hardened or not", async () => {
    const { storage, config, open, builder, compile } = set();
    const inner = (): LooseBuilder =>
      looseGraph(
        Annotation.Root({ handle: untracked(Annotation<Session>()), text: Annotation<unknown>() }),
      )
        .addNode("in", ({ handle }: { handle: Session }) => ({
          text: { said: handle.run(), handle },
        }))
        .addNode("out", ({ handle }: { handle: Session }) => ({ handle, text: [handle] }))
        .addEdge(START, "in")
        .addEdge("in", "out")
        .addEdge("out", END);
    const hardened = withAllowlist(inner().compile()) as LooseCompiled;
    const plain = inner().compile();
    const graph = compile(
      builder()
        .addNode("open", () => ({ session: open() }))
        .addNode("call", async ({ session }: State) => {
          // What the inner graph calls untracked comes back in the outer one's state.
          const own = open();
          const first = await hardened.invoke({ handle: own });
          const second = await plain.invoke({ handle: session });
          return { more: { first, second, own }, log: ["called"] };
        })
        .addEdge(START, "open")
        .addEdge("open", "call")
        .addEdge("call", END),
    );
    const { log } = await graph.invoke({}, config);
    expect(log).toEqual(["called"]);
    expect(storage.bytes()).toContain("called");
    expect(storage.bytes()).not.toContain(SECRET);
  });
});
