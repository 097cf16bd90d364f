import {
  Annotation,
  Command,
  END,
  entrypoint,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  task,
} from "@langchain/langgraph";
import { NonSerializableStateError } from "@threadkeep/serde";
import { AIMessage, createAgent, createMiddleware, fakeModel, tool, ToolMessage } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AllowlistOptions, SqliteSaver, withAllowlist } from "../src/index.ts";
import { looseGraph } from "./loose-graph.ts";

class Money {
  readonly cents = 5;
}

const config = { configurable: { thread_id: "1" } };
const State = Annotation.Root({
  ok: Annotation<string>(),
  cart: Annotation<unknown>(),
  log: Annotation<unknown[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

const warnings: string[] = [];
const onWarning = (warning: Error): void => {
  if (warning.name === "ThreadkeepWarning") warnings.push(warning.message);
};
beforeEach(() => {
  warnings.length = 0;
  process.on("warning", onWarning);
});
afterEach(() => {
  process.off("warning", onWarning);
});

function graphOf(value: () => unknown, saver: unknown = SqliteSaver.fromConnString(":memory:")) {
  return looseGraph(State)
    .addNode("first", () => ({ ok: "kept" }))
    .addNode("second", () => ({ cart: value() }))
    .addNode("third", () => ({ ok: "never" }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", "third")
    .addEdge("third", END)
    .compile({ checkpointer: saver });
}

describe("a result of the functional API", () => {
  const inner = task("inner", async () => () => 1);
  const outer = task("outer", async () => {
    await inner();
    return 1;
  });
  const fine = task("fine", async () => 1);
  const savers: [string, () => SqliteSaver | MemorySaver][] = [
    ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
    ["a wrapped saver", () => new MemorySaver()],
  ];
  const flow = (
    checkpointer: SqliteSaver | MemorySaver,
    work: () => Promise<unknown>,
    options = {},
  ) => withAllowlist(entrypoint({ name: "flow", checkpointer }, work), options);

  it.each(savers)(
    "that can't be stored is told with the call that made it, over %s",
    async (_name, open) => {
      const second = flow(open(), async () => {
        await fine();
        await inner();
      });
      await expect(second.invoke(1, config)).rejects.toThrow(
        /^task\(\) call 2 of entrypoint "flow": __return__: a function/,
      );
      await expect(flow(open(), outer).invoke(1, config)).rejects.toThrow(
        /^task\(\) call 1 of task\(\) call 1 of entrypoint "flow": __return__: /,
      );
    },
  );

  it("is told so by a scan too", async () => {
    const error = await refused(
      flow(SqliteSaver.fromConnString(":memory:"), inner, { scan: "throw" }).invoke(1, config),
    );
    expect(error.source).toBe('task() call 1 of entrypoint "flow"');
  });
});

async function refused(work: Promise<unknown>): Promise<NonSerializableStateError> {
  try {
    await work;
  } catch (error) {
    if (NonSerializableStateError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const given = (text: string): Promise<void> =>
  expect.poll(() => warnings).toContainEqual(expect.stringContaining(text));

describe("scan: throw", () => {
  it.each(["sync", "async"] as const)(
    "fails the step that made the value (%s)",
    async (durability) => {
      for (const saver of [SqliteSaver.fromConnString(":memory:"), new MemorySaver()]) {
        const graph = withAllowlist(
          graphOf(() => ({ items: [{ price: new Money(), run: () => 1 }] }), saver),
          { scan: "throw" },
        );
        const error = await refused(graph.invoke({}, { ...config, durability }));
        expect(error).toMatchObject({
          code: "non_serializable_state",
          path: "cart.items[0].price",
          source: 'node "second"',
          problems: [
            { type: "Money", code: "unregistered_class", conversion: "add it: types: { Money }" },
            { path: "cart.items[0].run", type: "Function" },
          ],
        });
        expect(error.message).toContain('node "second"');
        const state = await graph.getState(config);
        expect(state.values).toMatchObject({ ok: "kept" });
        expect(state.next).toEqual(["second"]);
      }
    },
  );

  it("names the node of a Send", async () => {
    const graph = withAllowlist(
      looseGraph(State)
        .addNode("plan", () => ({ ok: "planned" }))
        .addNode("work", (state: { n: number }) => ({ log: [state.n === 1 ? new Money() : 1] }))
        .addEdge(START, "plan")
        .addConditionalEdges(
          "plan",
          () => [new Send("work", { n: 0 }), new Send("work", { n: 1 })],
          ["work"],
        )
        .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }),
      { scan: "throw" },
    );
    const error = await refused(graph.invoke({}, { ...config, durability: "sync" }));
    expect(error).toMatchObject({ source: 'node "work"', path: "log[0]" });
  });

  it("names the subgraph, and looks at what Sends and Commands carry", async () => {
    const child = looseGraph(State)
      .addNode("inner", () => ({ cart: new Money() }))
      .addEdge(START, "inner")
      .compile({});
    const graph = withAllowlist(
      looseGraph(State)
        .addNode("child", child)
        .addNode(
          "route",
          () => new Command({ goto: new Send("child", { cart: { stop: () => 1 } }) }),
          { ends: ["child"] },
        )
        .addConditionalEdges(START, (state: { ok?: string }) => state.ok ?? "route", [
          "route",
          "child",
        ])
        .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }),
      { scan: "throw" },
    );
    expect(await refused(graph.invoke({ ok: "child" }, config))).toMatchObject({
      source: 'node "inner" in subgraph "child"',
      path: "cart",
    });
    expect(await refused(graph.invoke({}, { configurable: { thread_id: "2" } }))).toMatchObject({
      source: 'node "route"',
      problems: [{ type: "Function" }],
    });
  });

  it("holds for updateState", async () => {
    const graph = withAllowlist(
      graphOf(() => 1),
      { scan: "throw" },
    );
    await graph.invoke({}, config);
    const error = await refused(graph.updateState(config, { cart: new Money() }, "second"));
    expect(error).toMatchObject({ path: "cart", source: "an update of the state" });
  });

  it("says nothing of types that are known, and of untracked state", async () => {
    const graph = withAllowlist(
      graphOf(() => new Money()),
      { scan: "throw", types: { Money } },
    );
    await graph.invoke({}, config);
    const live = withAllowlist(
      graphOf(() => () => 1),
      { scan: "throw", untracked: ["cart"] },
    );
    await live.invoke({}, config);
  });
});

describe("scan: warn", () => {
  it("warns once for each node, path and type", async () => {
    const graph = withAllowlist(
      graphOf(() => new Money()),
      { scan: "warn" },
    );
    for (const thread_id of ["1", "2"])
      await graph.invoke({}, { configurable: { thread_id } }).catch(() => undefined);
    await given(
      'node "second" made state that can\'t be stored: cart: an instance of class Money, which is not in types; add it: types: { Money }',
    );
    expect(warnings).toHaveLength(1);
  });
});

describe("scan: off", () => {
  it("is what holds when nobody asks", async () => {
    const graph = withAllowlist(graphOf(() => new Money()));
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unregistered_class" });
    expect(warnings).toEqual([]);
  });

  it.each(["always", true, null])("is not spelled %s", (scan) => {
    expect(() =>
      withAllowlist(
        graphOf(() => 1),
        { scan } as unknown as AllowlistOptions,
      ),
    ).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe.each(["v1", "v2"] as const)("an agent (%s)", (version) => {
  const lookup = tool(
    (_, runtime) =>
      new ToolMessage({
        content: "found",
        tool_call_id: (runtime as unknown as { toolCallId: string }).toolCallId,
        name: "lookup",
        artifact: { rows: [new Money()] },
      }),
    { name: "lookup", description: "look up", schema: z.object({}) },
  );
  const agentWith = (middleware: unknown[], tools: unknown[] = [], asked?: object) => {
    const model = fakeModel();
    if (tools.length > 0) model.respondWithTools([{ name: "lookup", args: {}, id: "c1" }]);
    model.respond(new AIMessage("done"));
    return withAllowlist(
      createAgent({
        model,
        tools: tools as never,
        version,
        middleware: middleware as never,
        checkpointer: SqliteSaver.fromConnString(":memory:"),
      }),
      asked,
    ) as unknown as { invoke(input: unknown, config: object): Promise<unknown> };
  };
  const input = { messages: [{ role: "user", content: "go" }] };
  const bad = createMiddleware({
    name: "Prices",
    stateSchema: z.object({ price: z.any().optional() }),
    beforeModel: () => ({ price: new Money() }),
  });

  it("names the middleware and its hook", async () => {
    const error = await refused(agentWith([bad], [], { scan: "throw" }).invoke(input, config));
    expect(error).toMatchObject({ source: "middleware Prices (before_model)", path: "price" });
  });

  it("names the tool", async () => {
    const error = await refused(agentWith([], [lookup], { scan: "throw" }).invoke(input, config));
    expect(error).toMatchObject({ source: 'tool "lookup"', path: "messages[0].artifact.rows[0]" });
  });

  it("scans where a middleware asks for it", async () => {
    const asking = Object.assign(createMiddleware({ name: "Asking" }), {
      [Symbol.for("threadkeep.scan")]: "throw",
    });
    expect(await refused(agentWith([asking, bad]).invoke(input, config))).toMatchObject({
      source: "middleware Prices (before_model)",
    });
    await expect(
      agentWith([asking, bad], [], { scan: "off" }).invoke(input, config),
    ).rejects.toMatchObject({ code: "unregistered_class" });
  });
});

it("names the tool that an agent's Send was to call, where its message has no name", async () => {
  const nameless = tool(
    (_, runtime) =>
      new ToolMessage({
        content: "found",
        tool_call_id: (runtime as unknown as { toolCallId: string }).toolCallId,
        artifact: { rows: [new Money()] },
      }),
    { name: "nameless", description: "look up", schema: z.object({}) },
  );
  const agent = withAllowlist(
    createAgent({
      model: fakeModel().respondWithTools([{ name: "nameless", args: {}, id: "c1" }]),
      tools: [nameless],
      version: "v2",
      checkpointer: SqliteSaver.fromConnString(":memory:"),
    }),
    { scan: "throw" },
  );
  const error = await refused(agent.invoke({ messages: "go" }, config));
  expect(error).toMatchObject({ source: 'tool "nameless"' });
});

it("leaves messages alone that can be stored", async () => {
  const graph = withAllowlist(
    looseGraph(MessagesAnnotation)
      .addNode("talk", () => ({ messages: [new AIMessage("hi")] }))
      .addEdge(START, "talk")
      .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }),
    { scan: "throw" },
  );
  expect(await graph.invoke({ messages: [] }, config)).toMatchObject({
    messages: [{ content: "hi" }],
  });
});
