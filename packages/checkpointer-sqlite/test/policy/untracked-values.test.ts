import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { Command, END, interrupt, Send, START } from "@langchain/langgraph";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { afterEach, describe, expect, it } from "vitest";
import type { LooseCompiled } from "../loose-graph.ts";
import type { SqliteSaver } from "../../src/index.ts";
import { SECRET, type Session } from "./sessions.ts";
import { Box, closeAll, settings, type State } from "./settings.ts";

afterEach(closeAll);

describe.each(settings)("untracked state ($name)", ({ set }) => {
  it("stays out of what parallel Sends carry, at any depth", async () => {
    const { storage, config, open, builder, compile } = set();
    const found: unknown[] = [];
    const keys: string[][] = [];
    const tracked = { log: true, more: true };
    const make = (): LooseCompiled =>
      compile(
        builder()
          .addNode("open", () => ({ session: open() }))
          .addNode("work", (args: State & { deep: unknown; n: number }) => {
            found.push([args.n, args.session?.run(), args.deep]);
            keys.push(Object.keys(args).filter((key) => !(key in tracked)));
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
    keys.length = 0;
    const interrupts = (await make().getState(config)) as unknown as {
      tasks: { interrupts: { id: string }[] }[];
    };
    const resume = Object.fromEntries(
      interrupts.tasks.flatMap((task) => task.interrupts.map(({ id }) => [id, "go"])),
    );
    await make().invoke(new Command({ resume }), config);
    // Strictly: keys are left out, and not there as undefined.
    const empty = [{ map: new Map(), set: new Set() }];
    expect(found).toStrictEqual([1, 2, 3].map((n) => [n, undefined, empty]));
    expect(keys).toEqual(Array.from({ length: 3 }, () => ["deep", "n"]));
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
    const saver = graph.checkpointer as SqliteSaver;
    const stored = (await saver.getTuple(config))?.checkpoint.channel_values;
    expect(stored).toHaveProperty("more");
    expect(stored).not.toHaveProperty("session");
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

  it("leaves it to the saver to refuse what only has the prototype of a Map or Set", async () => {
    const { config, open, builder, compile } = set();
    for (const { prototype } of [Map, Set]) {
      const forged: unknown = Object.create(prototype);
      const graph = compile(
        builder()
          .addNode("a", () => ({ session: { token: SECRET, open: open() } }))
          .addNode("b", () => ({ log: [interrupt("?")] }))
          .addEdge(START, "a")
          .addConditionalEdges("a", () => [new Send("b", { forged })], ["b"]),
      );
      await expect(graph.invoke({}, config)).rejects.toMatchObject({
        code: "unsupported_type",
        message: expect.stringContaining('Send("b").args.forged'),
      });
    }
  });

  it("stays out of Sends that Sends carry, whatever made them", async () => {
    const { storage, config, open, builder, compile } = set();
    const found: unknown[] = [];
    const make = (): LooseCompiled =>
      compile(
        builder()
          .addNode("a", () => ({ session: open(), log: ["sent"] }))
          .addNode("b", (args: object) => {
            found.push(args);
            return { log: [interrupt("?")] };
          })
          .addEdge(START, "a")
          .addConditionalEdges(
            "a",
            ({ session }: State) => {
              const again = new Send("b", { session, n: 1 });
              const deep = new Send("b", { list: [new Send("b", { session, alias: session })] });
              const todo = [{ node: "b", args: { session: SECRET, alias: [session], n: 2 } }];
              return [new Send("b", { again, deep, todo })];
            },
            ["b"],
          ),
      );
    await make().invoke({}, config);
    found.length = 0;
    await make().invoke(null, config);
    expect(found).toEqual([
      expect.objectContaining({
        again: new Send("b", { n: 1 }),
        deep: new Send("b", { list: [new Send("b", {})] }),
        todo: [new Send("b", { alias: [undefined], n: 2 })],
      }),
    ]);
    expect(storage.bytes()).toContain("sent");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("stays out of Sends when it looks like one itself", async () => {
    const { storage, config, builder, compile } = set();
    const circle: Record<string, unknown> = { key: SECRET, inner: { node: SECRET, args: {} } };
    circle.list = [circle];
    for (const session of [
      { node: SECRET, args: { list: [, 1] } },
      { key: SECRET, circle },
    ]) {
      const graph = compile(
        builder()
          .addNode("a", () => ({ session, log: ["sent"] }))
          .addNode("b", () => ({ log: [interrupt("?")] }))
          .addEdge(START, "a")
          .addConditionalEdges(
            "a",
            (state: State) => [new Send("b", { alias: state.session, list: [state.session] })],
            ["b"],
          ),
      );
      await graph.invoke({}, config);
    }
    expect(storage.bytes()).toContain("sent");
    expect(storage.bytes()).not.toContain(SECRET);
  });

  it("is refused as all that a Send carries, which would be dropped", async () => {
    const { storage, config, open, builder, compile } = set();
    for (const wrap of [(send: Send) => send, (send: Send) => new Send("b", { again: send })]) {
      const graph = compile(
        builder()
          .addNode("a", () => ({ session: open() }))
          .addNode("b", () => ({ log: [interrupt("?")] }))
          .addEdge(START, "a")
          .addConditionalEdges("a", ({ session }: State) => [wrap(new Send("b", session))], ["b"]),
      );
      await expect(graph.invoke({}, config)).rejects.toMatchObject({
        code: "unsupported_type",
        message: expect.stringMatching(
          /Send\("b"\)\.args: a value of an untracked field.* send a record/,
        ),
      });
    }
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
