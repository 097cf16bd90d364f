import { RunnableLambda } from "@langchain/core/runnables";
import { Annotation, Command, END, interrupt, Send, START } from "@langchain/langgraph";
import { MsgpackSerializer } from "@threadkeep/serde";
import { privateState, untracked } from "@threadkeep/serde/policy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { Crash, crashing, type CrashPoint, type Life } from "../resume/crashing.ts";
import { type Storage, storages, unsealed } from "./storages.ts";

const SECRET = "private-4f21";

type Args = Record<string, unknown>;

let count = 0;
const secret = (): string => `${SECRET}-${++count}`;

const lastWins = (_old: unknown, value: unknown): unknown => value;
const concat = {
  reducer: (old: unknown[], more: unknown[]) => [...old, ...more],
  default: (): unknown[] => [],
};

const State = Annotation.Root({
  token: privateState(Annotation<unknown>({ reducer: lastWins })),
  once: privateState(Annotation<unknown>()),
  vault: privateState(
    Annotation<unknown>({ reducer: (_old, value) => ({ ...(value as object), stamp: ++count }) }),
  ),
  session: untracked(Annotation<unknown>()),
  history: Annotation<unknown[]>(concat),
  log: Annotation<unknown[]>(concat),
});

const reader = new MsgpackSerializer();

/** Everything that goes into storage as a Send, as text. */
function sentTexts(method: string, args: readonly unknown[]): string[] {
  const values =
    method === "put"
      ? [(args[1] as { channel_values: Args }).channel_values.__pregel_tasks]
      : (args[1] as [string, unknown][])
          .filter(([channel]) => channel === "__pregel_tasks")
          .map(([, value]) => value);
  return values
    .filter((value) => value !== undefined)
    .map((value) =>
      typeof value === "string"
        ? unsealed(value)
        : Buffer.from(reader.dumps(value)).toString("latin1"),
    );
}

/** The task that saw these args. */
const taskIds = new WeakMap<Args, unknown>();

let storage: Storage;
let sent: string[];
let seen: Args[];
beforeEach(() => {
  sent = [];
  seen = [];
});
afterEach(() => storage.close());

/** A graph in a process that dies at a certain call of its saver. */
function start(build: (builder: LooseBuilder) => LooseBuilder, point?: CrashPoint): LooseCompiled {
  const life: Life = { calls: 0, isOver: false };
  const saver = crashing(storage.open(), life, point, (method, args) => {
    if (method !== "getTuple") sent.push(...sentTexts(method, args));
  });
  const builder = build(looseGraph(State)).addNode("work", work).addEdge("work", END);
  return withAllowlist(builder.compile({ checkpointer: saver }) as LooseCompiled & object);
}

/** Waits for a person, and tells what it was sent each time that it starts. */
function work(args: Args, { configurable }: { configurable: Args }): object {
  const copy = structuredClone({ ...args, session: undefined });
  seen.push(copy);
  taskIds.set(copy, configurable.__pregel_task_id);
  return { log: [interrupt("go on?")] };
}

/** A node may have several routers, by their names. */
function named(name: string, route: () => Send[]): object {
  return Object.assign(RunnableLambda.from(route), { name });
}

const config = { configurable: { thread_id: "1" } };
const durabilities = ["sync", "async", "exit"] as const;

interface Case {
  readonly name: string;
  build(builder: LooseBuilder): LooseBuilder;
  readonly input?: Args;
}

/** A node `a` whose router sends what it makes of its own state. */
function routed(name: string, node: () => object, route: (state: Args) => Args): Case {
  return {
    name,
    build: (builder) =>
      builder
        .addNode("a", node)
        .addEdge(START, "a")
        .addConditionalEdges("a", (state: Args) => [new Send("work", route(state))], ["work"]),
  };
}

const whole = (state: Args): Args => ({ ...state });
const vault = (): object => ({ key: secret(), deep: [{ key: secret() }], at: new Date(5), n: 1n });

const cases: Case[] = [
  routed("the whole state", () => ({}), whole),
  routed("what the router's own task wrote", () => ({ token: secret(), once: secret() }), whole),
  routed("what a reducer makes anew each time", () => ({ vault: vault() }), whole),
  routed(
    "a value of its own",
    () => ({ token: secret() }),
    (state) => ({
      ...state,
      token: secret(),
    }),
  ),
  routed(
    "a value made of the channel's",
    () => ({ vault: vault() }),
    (state) => ({
      ...state,
      vault: { ...(state.vault as object), more: secret() },
    }),
  ),
  routed(
    "a copy of the channel's",
    () => ({ vault: vault() }),
    (state) => ({
      ...state,
      vault: structuredClone(state.vault),
    }),
  ),
  routed(
    "no private field at all",
    () => ({ token: secret() }),
    () => ({ only: "this" }),
  ),
  routed(
    "null, undefined and odd values",
    () => ({ token: secret(), vault: vault() }),
    () => ({
      token: null,
      once: undefined,
      vault: new Map<unknown, unknown>([[secret(), new Set([Number.NaN, -0, 2n ** 70n])]]),
    }),
  ),
  routed(
    "a record without a prototype",
    () => ({}),
    (state) => Object.assign(Object.create(null) as Args, state, { token: secret() }),
  ),
  routed(
    "a private value that holds a live object",
    () => ({}),
    (state) => ({
      ...state,
      session: { handle: secret() },
      vault: { key: secret() },
    }),
  ),
  {
    name: "what a node beside it has changed by then",
    build: (builder) =>
      builder
        .addNode("a", () => ({ token: secret(), vault: vault(), history: [{ from: "a" }] }))
        .addNode("b", () => ({ token: secret(), vault: vault(), history: [{ from: "b" }] }))
        .addEdge(START, "a")
        .addEdge(START, "b")
        .addConditionalEdges("a", (state: Args) => [new Send("work", whole(state))], ["work"])
        .addConditionalEdges("b", (state: Args) => [new Send("work", whole(state))], ["work"]),
  },
  {
    name: "the state before a Command's update",
    build: (builder) =>
      builder
        .addNode(
          "a",
          (state: Args) =>
            new Command({
              update: { token: secret(), vault: vault() },
              goto: [new Send("work", whole(state)), new Send("work", { token: secret() })],
            }),
          { ends: ["work"] },
        )
        .addEdge(START, "a"),
  },
  {
    name: "what was changed in place since its checkpoint was stored",
    build: (builder) =>
      builder
        .addNode("a", () => ({ vault: vault() }))
        .addNode("b", (state: Args) => {
          (state.vault as Args).key = secret();
          (state.history as Args[])[0]!.text = "changed";
          return {};
        })
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addConditionalEdges("b", (state: Args) => [new Send("work", whole(state))], ["work"]),
  },
  {
    name: "many tasks' own and common values",
    build: (builder) =>
      builder
        .addNode("a", () => ({ vault: vault() }))
        .addEdge(START, "a")
        .addConditionalEdges(
          "a",
          (state: Args) =>
            [0, 1, 2, 3].map(
              (n) => new Send("work", { ...state, n, ...(n % 2 ? { token: n } : {}) }),
            ),
          ["work"],
        ),
  },
];

describe.each(Object.entries(storages))("a Send's private values over %s", (_name, open) => {
  beforeEach(() => {
    storage = open();
  });

  describe.each(cases)("$name", ({ build, input }) => {
    it.each(durabilities)("are what they were, and in no stored Send (%s)", async (durability) => {
      const options = { ...config, durability };
      const first = { token: secret(), history: [{ text: "one" }], ...input };
      await start(build).invoke(first, options);
      const sentFirst = seen.splice(0);
      expect(sentFirst.length).toBeGreaterThan(0);
      await start(build).invoke(null, options);
      expect(seen).toEqual(sentFirst);
      expect(sent.length).toBeGreaterThan(0);
      for (const text of sent) expect(text).not.toContain(SECRET);
      expect(storage.bytes()).toContain(SECRET);
    });

    it("are what they were when a process dies before it stores the next checkpoint", async () => {
      // The Sends are found among the writes then, not in a checkpoint.
      const options = { ...config, durability: "sync" as const };
      const counting: Life = { calls: 0, isOver: false };
      const probe = crashing(storage.open(), counting, undefined, () => undefined);
      const plain = withAllowlist(
        build(looseGraph(State))
          .addNode("work", work)
          .addEdge("work", END)
          .compile({ checkpointer: probe }) as LooseCompiled & object,
      );
      await plain.invoke(
        { token: secret(), history: [{ text: "one" }] },
        {
          configurable: { thread_id: "probe" },
          durability: "sync",
        },
      );
      seen = [];
      for (let call = 1; call <= counting.calls; call++) {
        const thread = { ...options, configurable: { thread_id: `t${call}` } };
        const input = { token: secret(), history: [{ text: "one" }] };
        await start(build, { call, when: "before" })
          .invoke(input, thread)
          .catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
        const before = seen.splice(0);
        const state = await start(build).getState(thread);
        if (state.next.length === 0) continue;
        await start(build).invoke(null, thread);
        const after = seen.splice(0);
        expect(after.length).toBeGreaterThan(0);
        await start(build).invoke(null, thread);
        expect(seen.splice(0)).toEqual(after);
        for (const first of before) {
          const again = after.find((each) => taskIds.get(each) === taskIds.get(first));
          if (again !== undefined) expect(again).toEqual(first);
        }
      }
      for (const text of sent) expect(text).not.toContain(SECRET);
    });
  });

  it("stay what they were while the thread moves on around a waiting Send", async () => {
    const { build } = cases[0]!;
    await start(build).invoke({ token: secret(), history: [{ text: "one" }] }, config);
    const [first] = seen.splice(0);
    const update = { token: secret(), history: [{ text: "two" }] };
    await start(build).invoke(new Command({ update }), config);
    expect(seen.splice(0)).toEqual([first]);
    const past = [];
    for await (const state of start(build).getStateHistory(config)) past.push(state.config);
    const fork = await start(build).updateState(past[0] as object, null, "__copy__");
    await start(build).invoke(null, fork);
    await start(build).invoke(null, past[0]);
    expect(seen.splice(0)).toEqual([first, first]);
    await start(build).invoke(new Command({ resume: "yes", update: { token: secret() } }), config);
    expect(seen).toEqual([first]);
  });

  it("stay what they were when a router fails after another one has sent", async () => {
    let fails = true;
    const build = (builder: LooseBuilder): LooseBuilder =>
      builder
        .addNode("a", () => ({ token: secret() }))
        .addEdge(START, "a")
        .addConditionalEdges(
          "a",
          named("one", () => [new Send("work", { token: secret(), n: 1 })]),
          ["work"],
        )
        .addConditionalEdges(
          "a",
          named("two", () => {
            if (fails) throw new Error("no route");
            return [2, 3].map((n) => new Send("work", { token: secret(), n }));
          }),
          ["work"],
        );
    const thread = { ...config, durability: "sync" as const };
    await expect(start(build).invoke({ token: secret() }, thread)).rejects.toThrow("no route");
    fails = false;
    // Whether LangGraph goes on with what the node wrote before it failed, or runs it again.
    seen = [];
    await start(build).invoke(null, thread);
    const after = seen.splice(0);
    expect(after.length).toBeGreaterThan(0);
    for (const { token } of after) expect(token).toContain(SECRET);
    await start(build).invoke(null, thread);
    expect(seen).toEqual(after);
    for (const text of sent) expect(text).not.toContain(SECRET);
  });

  it("are stored once for all Sends that carry the same", async () => {
    const big = { key: secret(), pad: "x".repeat(20_000) };
    const build = (builder: LooseBuilder): LooseBuilder =>
      builder
        .addNode("a", () => ({}))
        .addEdge(START, "a")
        .addConditionalEdges(
          "a",
          () => [1, 2, 3, 4, 5].map((n) => new Send("work", { vault: { ...big }, n })),
          ["work"],
        );
    await start(build).invoke({ history: [] }, config);
    // Not ten times: five in the writes, five in the checkpoint after them. A log has pages several times.
    expect(storage.bytes().split(big.key).length - 1).toBeLessThan(10);
    seen = [];
    await start(build).invoke(null, config);
    expect(seen.map((args) => args.vault)).toEqual(Array.from({ length: 5 }, () => big));
  });

  it("leave everything else of a Send as it is", async () => {
    const timeout = { runTimeout: 60_000, idleTimeout: 30_000, refreshOn: "heartbeat" as const };
    let original: Args | undefined;
    const build = (builder: LooseBuilder): LooseBuilder =>
      builder
        .addNode("a", () => ({ session: { handle: 1 } }))
        .addEdge(START, "a")
        .addConditionalEdges(
          "a",
          (state: Args) => {
            const send = new Send("work", { ...state, n: 1 }, { timeout });
            original = { ...Object.assign(send, { priority: 7 }) };
            return [send];
          },
          ["work"],
        );
    await start(build).invoke({ token: secret() }, { ...config, durability: "sync" });
    const { checkpointer } = start(build) as unknown as {
      checkpointer: { getTuple(config: object): Promise<{ checkpoint: { channel_values: Args } }> };
    };
    const { checkpoint } = await checkpointer.getTuple(config);
    // Before LangGraph 1.4 the channel holds a list beside another one.
    const [send] = (checkpoint.channel_values.__pregel_tasks as Send[]).flat() as Send[];
    expect(send).toBeInstanceOf(Send);
    expect({ ...send, args: undefined }).toEqual({ ...original, args: undefined });
    expect(send?.args).toMatchObject({ n: 1 });
    expect(original).toHaveProperty("priority", 7);
  });

  it("are told to be missing, not made up", async () => {
    const { build } = cases[3]!;
    await start(build).invoke({ token: secret() }, { ...config, durability: "sync" });
    const saver = storage.open() as {
      getTuple(config: object): Promise<{ checkpoint: { channel_values: Args } }>;
    };
    const broken = new Proxy(saver, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key !== "getTuple") return typeof value === "function" ? value.bind(target) : value;
        return async () => {
          const tuple = await target.getTuple(config);
          delete tuple.checkpoint.channel_values.__threadkeep_aside__;
          return tuple;
        };
      },
    });
    // A saver of ours puts the values back itself; one that is wrapped can lose them.
    if ("sharesParts" in saver) return;
    const graph = withAllowlist(
      build(looseGraph(State)).addNode("work", work).compile({ checkpointer: broken }) as object,
    ) as LooseCompiled;
    await expect(graph.getState(config)).rejects.toMatchObject({
      code: "malformed_payload",
      path: 'Send("work").args.token',
    });
  });
});
