import { RunnableLambda } from "@langchain/core/runnables";
import { Command, Send, START } from "@langchain/langgraph";
import { sendsIn } from "@threadkeep/serde/policy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LooseBuilder } from "../loose-graph.ts";
import { cases } from "./private-cases.ts";
import { type Args, Processes, secret, SECRET } from "./processes.ts";
import { memory, storages } from "./storages.ts";

const config = { configurable: { thread_id: "1" } };
let run: Processes;

/** A node may have several routers, by their names. */
function named(name: string, route: () => Send[]): object {
  return Object.assign(RunnableLambda.from(route), { name });
}

describe.each(Object.entries(storages))("a Send's private values over %s", (_name, open) => {
  beforeEach(() => {
    run = new Processes(open());
  });
  afterEach(() => run.storage.close());

  it("stay what they were while the thread moves on around a waiting Send", async () => {
    const { build } = cases[0]!;
    await run.start(build).invoke({ token: secret(), history: [{ text: "one" }] }, config);
    const [first] = run.take();
    const update = { token: secret(), history: [{ text: "two" }] };
    await run.start(build).invoke(new Command({ update }), config);
    expect(run.take()).toEqual([first]);
    const past = [];
    for await (const state of run.start(build).getStateHistory(config)) past.push(state.config);
    const fork = await run.start(build).updateState(past[0] as object, null, "__copy__");
    await run.start(build).invoke(null, fork);
    await run.start(build).invoke(null, past[0]);
    expect(run.take()).toEqual([first, first]);
    await run
      .start(build)
      .invoke(new Command({ resume: "yes", update: { token: secret() } }), config);
    expect(run.seen).toEqual([first]);
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
    await expect(run.start(build).invoke({ token: secret() }, thread)).rejects.toThrow("no route");
    fails = false;
    // Whether LangGraph goes on with what the node wrote before it failed, or runs it again.
    run.take();
    await run.start(build).invoke(null, thread);
    const after = run.take();
    expect(after.length).toBeGreaterThan(0);
    for (const { token } of after) expect(token).toContain(SECRET);
    await run.start(build).invoke(null, thread);
    expect(run.seen).toEqual(after);
    for (const text of run.sent) expect(text).not.toContain(SECRET);
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
    await run.start(build).invoke({ history: [] }, config);
    // Not ten times: five in the writes, five in the checkpoint after them. A log has pages several times.
    expect(run.storage.bytes().split(big.key).length - 1).toBeLessThan(10);
    run.take();
    await run.start(build).invoke(null, config);
    expect(run.seen.map((args) => args.vault)).toEqual(Array.from({ length: 5 }, () => big));
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
    await run.start(build).invoke({ token: secret() }, { ...config, durability: "sync" });
    const { checkpointer } = run.start(build) as unknown as {
      checkpointer: { getTuple(config: object): Promise<{ checkpoint: { channel_values: Args } }> };
    };
    const { checkpoint } = await checkpointer.getTuple(config);
    const [send] = sendsIn(checkpoint.channel_values.__pregel_tasks);
    expect(send).toBeInstanceOf(Send);
    expect({ ...send, args: undefined }).toEqual({ ...original, args: undefined });
    expect(send?.args).toMatchObject({ n: 1 });
    expect(original).toHaveProperty("priority", 7);
  });

  it("cost a reference where the checkpoint has them, as the history does", async () => {
    const history = Array.from({ length: 200 }, (_, i) => ({ text: `${i} ${"word ".repeat(38)}` }));
    const build =
      (sends: number) =>
      (builder: LooseBuilder): LooseBuilder =>
        builder
          .addNode("a", () => ({}))
          .addEdge(START, "a")
          .addConditionalEdges(
            "a",
            (state: Args) =>
              Array.from({ length: sends }, (_, n) => new Send("work", { ...state, n })),
            ["work"],
          );
    const grownBy = async (sends: number): Promise<number> => {
      const before = run.storage.bytes().length;
      const thread = { configurable: { thread_id: `${sends}` } };
      await run.start(build(sends)).invoke({ history, vault: { history } }, thread);
      return run.storage.bytes().length - before;
    };
    // The history has 40 kB, and each Send is stored twice: among writes, and with the checkpoint.
    expect((await grownBy(20)) - (await grownBy(1))).toBeLessThan(19 * 2 * 8_000);
    expect(run.take().every((args) => (args.history as unknown[]).length === 200)).toBe(true);
  });
});

it("a private value that a wrapped saver has lost is told to be missing, not made up", async () => {
  const own = cases.find(({ name }) => name === "a value of its own");
  const build = own!.build;
  const run = new Processes(memory());
  await run.start(build).invoke({ token: secret() }, { ...config, durability: "sync" });
  const saver = run.storage.open() as {
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
  const graph = run.compile(build, broken);
  await expect(graph.getState(config)).rejects.toMatchObject({
    code: "malformed_payload",
    path: '__pregel_tasks → Send("work").args.token',
  });
});
