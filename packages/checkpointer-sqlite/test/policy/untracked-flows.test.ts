import { AIMessage, ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  interrupt,
  ReducedValue,
  Send,
  START,
  StateSchema,
  UntrackedValue,
} from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { untracked } from "@threadkeep/serde/policy";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { SECRET, type Session, sessions } from "./sessions.ts";
import { type Storage, storages } from "./storages.ts";

interface State {
  readonly session?: Session;
  readonly log?: readonly string[];
  readonly more?: unknown;
}

const lastWins = (_old: unknown, value: unknown): unknown => value;

const concat = {
  reducer: (old: string[], more: string[]) => [...old, ...more],
  default: (): string[] => [],
};

const states = {
  "a marked field": () =>
    Annotation.Root({
      session: untracked(Annotation<unknown>({ reducer: lastWins })),
      log: Annotation<string[]>(concat),
      more: Annotation<unknown>({ reducer: lastWins }),
    }),
  "a marked Zod field": () =>
    z.object({
      session: withLangGraph(untracked(z.any()), { reducer: { fn: lastWins } }),
      log: withLangGraph(z.array(z.string()), {
        reducer: { fn: concat.reducer },
        default: concat.default,
      }),
      more: withLangGraph(z.any(), { reducer: { fn: lastWins } }),
    }),
  UntrackedValue: () =>
    new StateSchema({
      session: new UntrackedValue(z.any(), { guard: false }),
      log: new ReducedValue(z.array(z.string()).default([]), { reducer: concat.reducer }),
      more: new ReducedValue(z.any(), { reducer: lastWins }),
    }),
};

class Box {
  readonly label: string;
  readonly content: unknown;
  constructor(label: string, content: unknown) {
    this.label = label;
    this.content = content;
  }
}

const opened: Storage[] = [];
afterEach(() => Promise.all(opened.splice(0).map((storage) => storage.close())));

/** What one test is made of: states, live objects, graphs over one storage. */
interface Setting {
  readonly storage: Storage;
  readonly config: { configurable: { thread_id: string }; durability: "sync" | "async" | "exit" };
  readonly open: () => Session;
  builder(): LooseBuilder;
  compile(builder: LooseBuilder, options?: object): LooseCompiled;
}

type Durability = "sync" | "async" | "exit";

const durabilities = ["sync", "async", "exit"] as const;

/** Each state and kind of object with each durability somewhere. */
const settings = Object.entries(storages).flatMap(([storage, openStorage], h) =>
  Object.entries(states).flatMap(([state, declare], i) =>
    Object.entries(sessions).map(([kind, session], j) => {
      const durability = durabilities[(h + i + j) % 3] as Durability;
      return {
        name: `${state}, ${kind}, ${storage}, ${durability}`,
        set: (): Setting => setUp(openStorage(), declare, session, durability),
      };
    }),
  ),
);

function setUp(
  storage: Storage,
  declare: () => unknown,
  { open, types }: (typeof sessions)[string],
  durability: Durability,
): Setting {
  opened.push(storage);
  return {
    storage,
    open,
    config: { configurable: { thread_id: "1" }, durability },
    builder: () => looseGraph(declare()),
    compile: (builder, options = {}) =>
      withAllowlist(builder.compile({ checkpointer: storage.open(), ...options }), {
        types: { ...types, Box },
      } as object) as LooseCompiled,
  };
}

const uses = ({ session }: State): object => ({ log: [session?.run() ?? "no session"] });

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

  it("stays out of what parallel Sends carry, at any depth", async () => {
    const { storage, config, open, builder, compile } = set();
    const found: unknown[] = [];
    const make = (): LooseCompiled =>
      compile(
        builder()
          .addNode("open", () => ({ session: open() }))
          .addNode("work", (args: State & { deep: unknown; n: number }) => {
            found.push([args.n, args.session?.run(), args.deep]);
            if (interrupt(`${args.n}?`) === "stop") return {};
            return { log: [`work ${args.n}`] };
          })
          .addEdge(START, "open")
          .addConditionalEdges(
            "open",
            (state: State) =>
              [1, 2, 3].map((n) => {
                const session = n === 3 ? open() : state.session;
                const deep = [
                  { s: session, map: new Map([["s", session]]), set: new Set([session]) },
                ];
                return new Send("work", { ...state, session, deep, n });
              }),
            ["work"],
          )
          .addEdge("work", END),
      );
    await make().invoke({}, config);
    expect(found.map((each) => (each as unknown[])[1])).toEqual(["ran", "ran", "ran"]);
    found.length = 0;
    const interrupts = (await make().getState(config)) as unknown as {
      tasks: { interrupts: { id: string }[] }[];
    };
    const resume = Object.fromEntries(
      interrupts.tasks.flatMap((task) => task.interrupts.map(({ id }) => [id, "go"])),
    );
    await make().invoke(new Command({ resume }), config);
    const empty = [{ map: new Map(), set: new Set() }];
    expect(found).toEqual([1, 2, 3].map((n) => [n, undefined, empty]));
    expect(storage.bytes()).toContain("work 3");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of what Commands, interrupts and answers carry", async () => {
    const { storage, config, open, builder, compile } = set();
    const graph = compile(
      builder()
        .addNode(
          "a",
          () => {
            const session = open();
            return new Command({
              update: { session, more: [session] },
              goto: new Send("b", { session, alias: session }),
            });
          },
          { ends: ["b"] },
        )
        .addNode("b", ({ session }: State) => {
          const answer = interrupt({ handle: session, list: [session] }) as { session: unknown };
          return { log: [typeof answer], more: { answer } };
        })
        .addEdge(START, "a")
        .addEdge("b", END),
    );
    await graph.invoke(
      new Command({ update: { session: open(), log: ["by command"] }, goto: "a" }),
      config,
    );
    const session = open();
    await graph.invoke(new Command({ update: { session }, resume: { session } }), config);
    expect(storage.bytes()).toContain("by command");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of values that hold it somewhere, and leaves no key behind", async () => {
    const { storage, config, open, builder, compile } = set();
    const graph = compile(
      builder()
        .addNode("a", () => {
          const session = open();
          const more = {
            alias: session,
            deep: { er: { session, kept: 1 } },
            list: [session, 1],
            map: new Map<unknown, unknown>([
              ["s", session],
              ["k", 1],
              [session, 2],
            ]),
            set: new Set<unknown>([session, 1]),
            box: new Box("label", session),
            error: new Error("failed", { cause: session }),
            message: new AIMessage({ content: "hi", additional_kwargs: { session } }),
            tool: new ToolMessage({ content: "done", tool_call_id: "1", artifact: session }),
          };
          return { session, more };
        })
        .addEdge(START, "a")
        .addEdge("a", END),
    );
    const { more: during } = await graph.invoke({}, config);
    expect((during as { alias: Session }).alias.run()).toBe("ran");
    const { more } = (await graph.getState(config)).values as { more: Record<string, never> };
    expect(Object.keys(more)).toEqual([
      "deep",
      "list",
      "map",
      "set",
      "box",
      "error",
      "message",
      "tool",
    ]);
    expect(more.deep).toEqual({ er: { kept: 1 } });
    // A list keeps the places of the others.
    expect(more.list).toEqual([undefined, 1]);
    expect(more.map).toEqual(new Map([["k", 1]]));
    expect(more.set).toEqual(new Set([1]));
    expect(Object.keys(more.box!)).toEqual(["label"]);
    expect(Object.hasOwn(more.error!, "cause")).toBe(false);
    expect((more.message as unknown as AIMessage).additional_kwargs).toEqual({});
    expect((more.tool as unknown as ToolMessage).artifact).toBeUndefined();
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("is no value of another field: the write of one is left out", async () => {
    const { storage, config, open, builder, compile } = set();
    const graph = compile(
      builder()
        .addNode("a", () => {
          const session = open();
          return { session, more: session, log: ["kept"] };
        })
        .addNode("b", ({ more }: State) => ({ log: [(more as Session).run()] }))
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addEdge("b", END),
    );
    await graph.invoke({}, config);
    const { values } = await graph.getState(config);
    expect(values.more).toBeUndefined();
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of a node cache, and a task that touched it is not cached", async () => {
    const { storage, config, open, builder, compile } = set();
    const cache = new InMemoryCache();
    let runs = 0;
    const cached = { cachePolicy: { keyFunc: () => "same" } };
    const graph = compile(
      builder()
        .addNode("open", () => ({ session: open(), log: ["opened"] }), cached)
        .addNode(
          "hide",
          ({ session }: State) => {
            runs++;
            return { more: { session } };
          },
          cached,
        )
        .addNode("say", () => ({ log: ["said"] }), cached)
        .addEdge(START, "open")
        .addEdge("open", "hide")
        .addEdge("hide", "say")
        .addEdge("say", END),
      { cache },
    );
    await graph.invoke({}, config);
    await graph.invoke({}, { ...config, configurable: { thread_id: "2" } });
    expect(runs).toBe(2);
    const kept = JSON.stringify(
      Object.entries(cache as unknown as object),
      (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    expect(kept).toContain("threadkeep:1:");
    expect(kept).not.toContain(SECRET);
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of metadata", async () => {
    const { storage, config, open, builder, compile } = set();
    const graph = compile(
      builder()
        .addNode("a", () => ({ session: open() }))
        .addEdge(START, "a")
        .addEdge("a", END),
    );
    const session = open();
    const with_ = {
      ...config,
      configurable: { ...config.configurable, session },
      metadata: { session, user: "u-1" },
      context: { session },
    };
    await graph.invoke({ session }, with_);
    await graph.updateState(with_, { log: ["updated"] }, "a");
    expect(storage.bytes()).toContain("updated");
    expect(storage.bytes()).not.toContain(SECRET);
  });
});
