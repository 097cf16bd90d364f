import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  END,
  entrypoint,
  interrupt,
  MemorySaver,
  Send,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { privateState, RESOURCE_HOST, untracked } from "@threadkeep/serde/policy";
import Database from "better-sqlite3";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { SqliteSaver, withAllowlist, wrapSaver } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { SECRET, type Session, sessions } from "./sessions.ts";
import { memory, sqliteFile, type Storage } from "./storages.ts";

const open = sessions["an instance of a class in types"]!.open;
const { types } = sessions["an instance of a class in types"]!;
const config = { configurable: { thread_id: "1" }, durability: "sync" as const };

const State = Annotation.Root({
  session: untracked(Annotation<Session>({ reducer: (_old, value) => value })),
  token: privateState(Annotation<string>({ reducer: (_old, value) => value })),
  more: Annotation<unknown>({ reducer: (_old, value) => value }),
});

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

/** Puts a live object into every way into storage, which could keep it: its class is in `types`. */
function builder(): LooseBuilder {
  return looseGraph(State)
    .addNode("a", () => {
      const session = open();
      return { session, more: { nested: [session] }, token: "private-of-a" };
    })
    .addNode("w", ({ more }: { more: unknown }) => ({ more: [more, "worked"] }))
    .addEdge(START, "a")
    .addConditionalEdges("a", (state: object) => [new Send("w", { ...state })], ["w"])
    .addEdge("w", END);
}

const harden = (graph: unknown, options: object = {}): LooseCompiled =>
  withAllowlist(graph as object, { types: types!, ...options }) as LooseCompiled;

function expectClean(marker = "worked"): void {
  expect(storage.bytes()).toContain(marker);
  expect(storage.bytes()).not.toContain(SECRET);
}

/** Reads a run's events to their end. */
async function drain(events: unknown): Promise<number> {
  let count = 0;
  for await (const _event of (await events) as AsyncIterable<unknown>) count++;
  return count;
}

type Streaming = LooseCompiled & {
  streamEvents(input: unknown, config: object): AsyncIterable<unknown>;
  batch(inputs: unknown[], config: object): Promise<unknown>;
  bulkUpdateState(config: object, steps: unknown[]): Promise<unknown>;
};

const doors: Record<string, (graph: Streaming) => Promise<unknown>> = {
  invoke: (graph) => graph.invoke({ session: open() }, config),
  stream: (graph) => drain(graph.stream({ session: open() }, config)),
  "stream in every mode": (graph) =>
    drain(
      graph.stream(
        { session: open() },
        {
          ...config,
          streamMode: ["values", "updates", "debug", "messages", "custom", "checkpoints", "tasks"],
          subgraphs: true,
        },
      ),
    ),
  "streamEvents v2": (graph) =>
    drain(graph.streamEvents({ session: open() }, { ...config, version: "v2" })),
  "streamEvents v3": (graph) =>
    drain(graph.streamEvents({ session: open() }, { ...config, version: "v3" })),
  batch: (graph) => graph.batch([{ session: open() }], config),
  updateState: async (graph) => {
    await graph.updateState(config, { session: open(), more: "worked" }, "a");
    const session = open();
    await graph.updateState(config, { session, more: [session] }, "a");
  },
  bulkUpdateState: (graph) =>
    graph.bulkUpdateState(config, [
      { updates: [{ values: { session: open(), more: "worked" }, asNode: "a" }] },
      { updates: [{ values: { session: open() }, asNode: "a" }] },
    ]),
};

describe("a hardened graph", () => {
  it.each(Object.entries(doors))("keeps live objects out through %s", async (_name, enter) => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    await enter(graph as Streaming);
    expectClean();
    const { values } = await graph.getState(config);
    expect(values.session).toBeUndefined();
    for await (const state of graph.getStateHistory(config))
      expect(JSON.stringify(state)).not.toContain(SECRET);
  });

  const savers: Record<string, (graph: LooseCompiled, saver: object) => LooseCompiled> = {
    "a saver given before": (graph, saver) => {
      graph.checkpointer = saver;
      return harden(graph);
    },
    "a saver given later": (graph, saver) => {
      const hardened = harden(graph);
      hardened.checkpointer = saver;
      return hardened;
    },
    "a saver given again": (graph, saver) => {
      graph.checkpointer = new MemorySaver();
      const hardened = harden(graph);
      hardened.checkpointer = undefined;
      hardened.checkpointer = saver;
      Object.assign(hardened, { checkpointer: hardened.checkpointer });
      return hardened;
    },
    "another hardened graph's saver": (graph, saver) => {
      const other = harden(builder().compile({ checkpointer: saver }));
      graph.checkpointer = other.checkpointer;
      return harden(graph);
    },
    "a copy made before a saver was given": (graph, saver) => {
      const copy = harden(graph).withConfig({ tags: ["copy"] });
      copy.checkpointer = saver;
      return copy;
    },
    "a copy of a copy": (graph, saver) => {
      graph.checkpointer = saver;
      return harden(graph)
        .withConfig({ tags: ["one"] })
        .withConfig({ tags: ["two"] });
    },
    "a saver lent by the copy's own config": (graph, saver) =>
      harden(graph).withConfig({ configurable: { __pregel_checkpointer: saver } }),
  };

  it.each(Object.entries(savers))("holds for %s", async (_name, make) => {
    const graph = make(builder().compile(), storage.open());
    await graph.invoke({ session: open() }, config);
    expectClean();
  });

  it("guards a saver that is lent with the call", async () => {
    const graph = harden(builder().compile()) as Streaming;
    const saver = storage.open();
    const lent = {
      ...config,
      configurable: { ...config.configurable, __pregel_checkpointer: saver },
    };
    await graph.invoke({ session: open() }, lent);
    const session = open();
    await graph.updateState(lent, { session, more: [session] }, "a");
    expectClean();
    expect((await graph.getState(lent)).values.token).toBe("private-of-a");
  });

  it("gives back the saver's own methods", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const graph = harden(builder().compile({ checkpointer: saver }));
    await graph.invoke({}, config);
    await (graph.checkpointer as SqliteSaver).close();
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "closed" });
  });

  it("may be used by two threads at once, each with its own objects", async () => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    const runs = Array.from({ length: 8 }, (_each, i) =>
      graph.invoke({ session: open() }, { configurable: { thread_id: `t${i}` } }),
    );
    await Promise.all(runs);
    expectClean();
  });
});

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
      expectClean("handle");
      return;
    }
    await run({});
    expect(storage.bytes()).not.toContain(SECRET);
    const result = (await run(new Command({ resume: "yes" }))) as { more: unknown };
    expect(result.more).toEqual(["yes", "without"]);
    expectClean("without");
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
    expectClean("the child's own text");
  });
});

describe("hardening again", () => {
  it("changes nothing without options", async () => {
    const graph = harden(builder().compile({ checkpointer: storage.open() }));
    const { checkpointer } = graph;
    const before = Object.getOwnPropertyNames(graph).map((name) => [
      name,
      (graph as unknown as Record<string, unknown>)[name],
    ]);
    expect(withAllowlist(graph)).toBe(graph);
    const after = Object.getOwnPropertyNames(graph).map((name) => [
      name,
      (graph as unknown as Record<string, unknown>)[name],
    ]);
    expect(after).toEqual(before);
    expect(graph.checkpointer).toBe(checkpointer);
    await graph.invoke({}, config);
    expectClean();
  });

  it("adds types, and takes none away", async () => {
    class Money {
      readonly cents: number = 5;
    }
    class Cart {
      readonly items: number[] = [1];
    }
    const graph = looseGraph(State)
      .addNode("a", () => ({ more: [new Money(), new Cart()] }))
      .addEdge(START, "a")
      .addEdge("a", END)
      .compile({ checkpointer: storage.open() });
    withAllowlist(graph, { types: { Money } });
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unregistered_class" });
    withAllowlist(graph, { types: { Cart } });
    await graph.invoke({}, { configurable: { thread_id: "2" } });
    const { values } = await graph.getState({ configurable: { thread_id: "2" } });
    expect(values.more).toEqual([new Money(), new Cart()]);
  });

  it("adds fields", async () => {
    const graph = looseGraph(
      Annotation.Root({ a: Annotation<unknown>(), b: Annotation<unknown>() }),
    )
      .addNode("n", () => ({ a: SECRET, b: SECRET }))
      .addEdge(START, "n")
      .addEdge("n", END)
      .compile({ checkpointer: storage.open() });
    withAllowlist(graph, { untracked: ["a"] });
    withAllowlist(graph, { private: ["b"] });
    withAllowlist(graph, { untracked: ["b"] });
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values).toEqual({});
    expectClean("branch:to:n");
  });

  it("takes on an agent whose graph was hardened before", async () => {
    const agent = makeAgent(storage.open());
    withAllowlist(agent.graph, { types: types! });
    withAllowlist(agent, { types: types! });
    await agent.withConfig({ tags: ["copy"] }).invoke({ messages: "go" }, config);
    expectClean("called");
  });
});

const useSession = tool(
  (_input, runtime) => {
    const { session } = (runtime as unknown as { state: { session?: Session } }).state;
    return `called ${session?.run() ?? "without"}`;
  },
  { name: "use", description: "Use.", schema: z.object({}) },
);

function makeAgent(saver: object | undefined) {
  const middleware = createMiddleware({
    name: "Live",
    stateSchema: z.object({ session: untracked<Session>(), _token: z.string().optional() }),
    beforeAgent: () => ({ session: open(), _token: "private-of-the-agent" }),
  });
  return createAgent({
    model: fakeModel()
      .respondWithTools([
        { name: "use", args: {} },
        { name: "use", args: {} },
      ])
      .respondWithTools([]),
    tools: [useSession],
    middleware: [middleware],
    ...(saver === undefined ? {} : { checkpointer: saver as MemorySaver }),
  });
}

type TestAgent = ReturnType<typeof makeAgent>;

describe("a hardened agent", () => {
  const agents: Record<string, (saver: object) => TestAgent> = {
    "with its saver": (saver) => withAllowlist(makeAgent(saver), { types: types! }),
    "with a saver that is given later": (saver) => {
      const agent = withAllowlist(makeAgent(undefined), { types: types! });
      agent.checkpointer = saver as MemorySaver;
      return agent;
    },
    "as a copy": (saver) =>
      withAllowlist(makeAgent(saver), { types: types! }).withConfig({ tags: ["a"] }) as TestAgent,
    "as a copy of a copy": (saver) =>
      withAllowlist(makeAgent(saver), { types: types! })
        .withConfig({ tags: ["a"] })
        .withConfig({ tags: ["b"] }) as TestAgent,
  };

  it.each(Object.entries(agents))("keeps live objects out (%s)", async (_name, make) => {
    const agent = make(storage.open());
    const { messages } = await agent.invoke({ messages: "go" }, config);
    expect(messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "called ran",
      "called ran",
    ]);
    expectClean("called ran");
  });

  it("keeps private fields out of Sends, also as a part of another graph", async () => {
    const saver = storage.open() as SqliteSaver;
    const sent: string[] = [];
    const watched = new Proxy(saver, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (key === "put" || key === "putWrites") sent.push(sends(key, args[1]));
          const result = (value as (...args: unknown[]) => unknown).apply(target, args);
          return result === target ? watched : result;
        };
      },
    });
    const agent = makeAgent(undefined);
    const graph = withAllowlist(
      looseGraph(State)
        .addNode("agent", agent.graph)
        .addEdge(START, "agent")
        .addEdge("agent", END)
        .compile({ checkpointer: watched }) as LooseCompiled & object,
    );
    await graph.invoke({ messages: ["go"] }, config);
    expect(sent.join("")).toContain("lg_tool_call");
    expect(sent.join("")).not.toContain("private-of-the-agent");
    expectClean("private-of-the-agent");
  });

  it("does not take messages for live objects, nor what they share with the response", async () => {
    const middleware = createMiddleware({
      name: "Last",
      stateSchema: z.object({ last: untracked<unknown>() }),
      afterModel: ({ messages }) => ({ last: messages.at(-1) }),
    });
    const args = { answer: "structured-answer" };
    const agent = withAllowlist(
      createAgent({
        model: fakeModel().respondWithTools([{ name: "extract-1", args }]),
        tools: [],
        middleware: [middleware],
        responseFormat: {
          type: "object",
          title: "extract-1",
          properties: { answer: { type: "string" } },
        } as never,
        checkpointer: storage.open() as never,
      }),
    );
    await agent.invoke({ messages: "go" }, config);
    const { values } = await agent.graph.getState(config);
    const messages = values.messages as { tool_calls?: { args: unknown }[] }[];
    expect(messages.every((message) => typeof message === "object")).toBe(true);
    expect(messages[1]?.tool_calls?.[0]?.args).toEqual(args);
  });
});

/** The Sends in a saver's call, as text. */
function sends(method: string, value: unknown): string {
  const found =
    method === "put"
      ? (value as { channel_values: Record<string, unknown> }).channel_values.__pregel_tasks
      : (value as [string, unknown][]).filter(([channel]) => channel === "__pregel_tasks");
  return JSON.stringify(found) ?? "";
}

describe("a node cache", () => {
  const cached = { cachePolicy: { keyFunc: () => "same" } };

  it("gives back exactly what a task wrote, also one that is given later", async () => {
    let runs = 0;
    const graph = harden(
      looseGraph(State)
        .addNode("a", () => ({ more: [++runs, new Date(5), 2n ** 70n] }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile(),
    ) as LooseCompiled & { cache?: unknown };
    graph.cache = new InMemoryCache();
    const first = await graph.invoke({});
    expect(await graph.invoke({})).toEqual(first);
    expect(first.more).toEqual([1, new Date(5), 2n ** 70n]);
  });

  it("is not mixed up with what a graph that is not hardened keeps in it", async () => {
    const cache = new InMemoryCache();
    const build = (): LooseCompiled =>
      looseGraph(State)
        .addNode("a", () => ({ more: "value" }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache });
    for (const graph of [harden(build()), build(), harden(build()), build()])
      expect((await graph.invoke({})).more).toBe("value");
    await (harden(build()) as unknown as { clearCache(): Promise<void> }).clearCache();
  });

  it("keeps nothing that can't be stored, and does not end the process for it", async () => {
    const cache = new InMemoryCache();
    const graph = harden(
      looseGraph(State)
        .addNode("a", () => ({ more: () => 1 }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache }),
    );
    expect(typeof (await graph.invoke({})).more).toBe("function");
    expect(typeof (await graph.invoke({})).more).toBe("function");
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("runs a task again whose kept result is of a class that is not allowed here", async () => {
    const cache = new InMemoryCache();
    class Money {
      readonly cents: number = 5;
    }
    const build = (): LooseCompiled =>
      looseGraph(State)
        .addNode("a", () => ({ more: new Money() }), cached)
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ cache });
    await harden(build(), { types: { Money } }).invoke({});
    expect((await harden(build(), { types: {} }).invoke({})).more).toBeInstanceOf(Money);
  });
});

describe("the functional API", () => {
  const counting = { runs: 0 };
  const host = {
    keys: ["session"],
    ensure: async () => ({ session: live }),
    peek: () => ({ session: live }),
    retain: () => undefined,
    release: () => undefined,
    dispose: async () => undefined,
  };
  const live = open();

  it("stores and revives what types name", async () => {
    class Money {
      readonly cents: number = 5;
    }
    const make = (): LooseCompiled => {
      const price = task("price", async () => {
        counting.runs++;
        return new Money();
      });
      const pay = entrypoint("pay", async (_input: object) => {
        const money = await price();
        return { paid: interrupt("pay?") as unknown, money, is: money instanceof Money };
      });
      const graph = withAllowlist(pay, { types: { Money } }) as unknown as LooseCompiled;
      graph.checkpointer = storage.open();
      return graph;
    };
    counting.runs = 0;
    await make().invoke({}, config);
    const result = await make().invoke(new Command({ resume: true }), config);
    expect(result).toEqual({ paid: true, money: new Money(), is: true });
    expect(counting.runs).toBe(1);
  });

  it("refuses a live object that a task gives back", async () => {
    const connect = task("connect", async () => ({ handle: () => 1 }));
    const run = entrypoint("run", async (_input: object) => {
      await connect();
      return interrupt("go on?") as unknown;
    });
    const graph = withAllowlist(run) as unknown as LooseCompiled;
    graph.checkpointer = storage.open();
    await expect(graph.invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: "__return__.handle",
    });
  });

  it("leaves a resource out of what tasks and runs give back, and runs such a task again", async () => {
    const make = (): LooseCompiled => {
      const connect = task("connect", async () => {
        counting.runs++;
        return live;
      });
      const run = entrypoint("run", async (input: { handle?: Session }) => {
        const session = await connect();
        const answer = interrupt({ about: session }) as unknown;
        return entrypoint.final({
          value: { answer, said: session.run(), session },
          save: { session, input },
        });
      });
      const graph = withAllowlist(run, {
        types: types!,
        resources: [{ [RESOURCE_HOST]: host }],
      }) as unknown as LooseCompiled;
      graph.checkpointer = storage.open();
      return graph;
    };
    counting.runs = 0;
    await make().invoke({ handle: live }, config);
    const result = await make().invoke(new Command({ resume: "yes" }), config);
    expect(result).toMatchObject({ answer: "yes", said: "ran" });
    expect(counting.runs).toBe(2);
    expectClean("connect");
  });
});

describe("what can't be hardened is refused with the reason", () => {
  const plain = (): LooseCompiled => builder().compile();
  const refusals: [name: string, make: () => unknown, code: string, message: RegExp][] = [
    ["nothing", () => withAllowlist(undefined as never), "unsupported", /compiled graph/],
    ["a builder", () => withAllowlist(new StateGraph(State)), "unsupported", /compiled graph/],
    ["a plain object", () => withAllowlist({}), "unsupported", /compiled graph/],
    [
      "a remote graph",
      () => withAllowlist({ lg_is_pregel: true, graphId: "remote" }),
      "unsupported",
      /on its server/,
    ],
    [
      "a saver with another serializer",
      () =>
        harden(
          builder().compile({
            checkpointer: new SqliteSaver(new Database(":memory:"), new MemorySaver().serde),
          }),
        ),
      "unsupported",
      /serializer/,
    ],
    [
      "what is no saver",
      () => {
        harden(plain()).checkpointer = {};
      },
      "unsupported",
      /saver/,
    ],
    [
      "an untracked field that there is not",
      () => harden(plain(), { untracked: ["nope"] }),
      "invalid_options",
      /"nope"/,
    ],
    [
      "a private field that there is not",
      () => harden(plain(), { private: ["toString"] }),
      "invalid_options",
      /"toString"/,
    ],
    [
      "a resource that is none",
      () => harden(plain(), { resources: [{}] }),
      "invalid_options",
      /resource\(\)/,
    ],
    [
      "a mark inside of a field",
      () =>
        harden(
          looseGraph(z.object({ deep: z.object({ er: z.array(untracked()) }) }))
            .addNode("a", () => ({}))
            .addEdge(START, "a")
            .compile(),
        ),
      "unsupported",
      /deep\.er\[\]/,
    ],
  ];
  it.each(refusals)("%s", (_name, make, code, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    );
  });

  it("an unhardened saver that a parent lends, at the first call", async () => {
    const foreign = new SqliteSaver(new Database(":memory:"), new MemorySaver().serde);
    const parent = looseGraph(State)
      .addNode("child", harden(builder().compile()))
      .addEdge(START, "child")
      .compile({ checkpointer: foreign });
    await expect(parent.invoke({}, config)).rejects.toMatchObject({ code: "unsupported" });
  });

  it("takes a wrapped saver as it is", async () => {
    const own = memory();
    const graph = harden(builder().compile({ checkpointer: wrapSaver(own.open() as MemorySaver) }));
    await graph.invoke({}, config);
    expect(own.bytes()).toContain("worked");
    expect(own.bytes()).not.toContain(SECRET);
  });
});
