import { Annotation, Command, interrupt, Send, START } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteSaver, type StateVersion, withAllowlist } from "../src/index.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

const config = { configurable: { thread_id: "1" } };
const Old = Annotation.Root({ total: Annotation<number>(), buyer: Annotation<string>() });
const Now = Annotation.Root({ amount: Annotation<number>(), buyer: Annotation<string>() });

let saver: SqliteSaver;
beforeEach(() => {
  saver = SqliteSaver.fromConnString(":memory:");
});
afterEach(() => saver.close());

const first = (): LooseCompiled =>
  withAllowlist(
    looseGraph(Old)
      .addNode("price", () => ({ total: 12, buyer: "Ada" }))
      .addNode("approve", () => ({ total: interrupt("ok?") }))
      .addEdge(START, "price")
      .addEdge("price", "approve")
      .compile({ checkpointer: saver }),
  );

const second = (state: unknown): LooseCompiled =>
  withAllowlist(
    looseGraph(Now)
      .addNode("price", () => ({}))
      .addNode("approve", () => ({ amount: interrupt("ok?") }))
      .addEdge(START, "price")
      .addEdge("price", "approve")
      .compile({ checkpointer: saver }),
    { state: state as StateVersion },
  );

const toAmount = { rename: { total: "amount" } };

describe("a migration with a mistake is refused when it is given", () => {
  it.each<[string, unknown, RegExp]>([
    [
      "a new name that the graph lacks",
      { rename: { total: "amuont" } },
      /1\].*total.*"amuont".*did you mean "amount"/,
    ],
    ["new names as a list", { rename: ["total"] }, /1\]\.rename .*not an array/],
    ["a new name that is none", { rename: { total: 5 } }, /rename\.total/],
    ["one new name for two", { rename: { total: "amount", sum: "amount" } }, /total and sum/],
    [
      "a conversion that is none",
      { ...toAmount, convert: { amount: 5 } },
      /convert\.amount.*number/,
    ],
    [
      "a conversion by the old name",
      { ...toAmount, convert: { total: String } },
      /convert.*"total".*new name, "amount"/,
    ],
    ["a conversion of what the graph lacks", { convert: { nope: String } }, /convert\.nope/],
    [
      "an async conversion",
      { ...toAmount, convert: { amount: async () => 1 } },
      /convert\.amount is async/,
    ],
    ["a split by the old name", { ...toAmount, split: { total: () => ({}) } }, /split.*"total"/],
    ["a split that is none", { split: { total: "amount" } }, /split\.total/],
    ["a name in place of a list of names", { remove: "total" }, /remove must be a list/],
    ["names to remove that are none", { remove: [5] }, /remove/],
    [
      "the removal of a name that is renamed",
      { ...toAmount, remove: ["total"] },
      /remove.*"total"/,
    ],
    ["a value to add, and no function", { add: { amount: 5 } }, /add\.amount/],
    ["a field to add that the graph lacks", { add: { amout: () => 1 } }, /add\.amout.*"amount"/],
    ["a misspelt change", { renam: { total: "amount" } }, /1\].*renam; did you mean rename\?/],
    ["an async step", async (state: object) => state, /1\] is async/],
    ["a step that is a list", [toAmount], /function or a record/],
  ])("%s", (_name, step, message) => {
    expect(() => second({ version: 2, migrate: { 1: step } })).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing", null, /state takes an object/],
    ["a number", 2, /state takes an object/],
    [
      "a misspelt option",
      { version: 2, migrat: { 1: toAmount } },
      /migrat; did you mean migrate\?/,
    ],
    ["steps as a list", { version: 2, migrate: [{}, toAmount] }, /migrate.*an array/],
    [
      "a step under another key",
      { version: 2, migrate: { 1: toAmount, "01": {} } },
      /start from 01/,
    ],
    [
      "a name that is lost on the way",
      { version: 3, migrate: { 1: { rename: { total: "sum" } }, 2: {} } },
      /1\]\.rename\.total leads to "sum"/,
    ],
    [
      "a name that is renamed to what the graph lacks",
      { version: 3, migrate: { 1: { rename: { total: "sum" } }, 2: { rename: { sum: "all" } } } },
      /leads to "all"/,
    ],
  ])("as a whole: %s", (_name, state, message) => {
    expect(() => second(state)).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  it.each<[string, StateVersion["migrate"]]>([
    ["is used up later", { 1: { rename: { total: "sum" } }, 2: { split: { sum: () => ({}) } } }],
    ["is removed later", { 1: { add: { note: () => 1 } }, 2: { remove: ["note"] } }],
    ["is renamed later", { 1: { rename: { total: "sum" } }, 2: { rename: { sum: "amount" } } }],
    ["goes through a function", { 1: { rename: { total: "sum" } }, 2: ({ sum }) => ({ sum }) }],
    ["is removed by its own step", { 1: { convert: { note: String }, remove: ["note"] }, 2: {} }],
  ])("but not for a name that %s", (_name, migrate) => {
    expect(() => second({ version: 3, migrate })).not.toThrow();
  });
});

describe("a step that would lose a value fails on load", () => {
  it.each<[string, unknown, RegExp]>([
    [
      "a new name that is taken",
      { rename: { total: "buyer" } },
      /rename\.total: the field "buyer"/,
    ],
    ["an old name that is misspelt", { rename: { totl: "amount" } }, /no field "total"/],
    ["a field that no step names", {}, /no field "total"/],
    [
      "a conversion to a Promise",
      { ...toAmount, convert: { amount: (n: number) => Promise.resolve(n) } },
      /"amount".*Promise/,
    ],
    [
      "a conversion to nothing",
      { ...toAmount, convert: { amount: () => undefined } },
      /convert\.amount gave undefined/,
    ],
    [
      "a conversion that throws",
      {
        ...toAmount,
        convert: {
          amount: () => {
            throw new RangeError("secret");
          },
        },
      },
      /convert\.amount threw RangeError/,
    ],
    [
      "a split into no record",
      { split: { total: (n: number) => n } },
      /split\.total gave a value of type number/,
    ],
    [
      "a split into a Promise",
      { split: { total: () => Promise.resolve({}) } },
      /split\.total gave a Promise/,
    ],
    [
      "a split into a field that is taken",
      { split: { total: (n: number) => ({ buyer: n }) } },
      /split\.total: the field "buyer"/,
    ],
    [
      "a split into what the graph lacks",
      { split: { total: (n: number) => ({ amout: n }) } },
      /no field "amout" \(did you mean "amount"\?\)/,
    ],
    [
      "a value to add that is a Promise",
      { remove: ["total"], add: { amount: () => Promise.resolve(1) } },
      /"amount".*Promise/,
    ],
    [
      "a function that gives a Promise",
      (state: object) => Promise.resolve(state),
      /the step gave a Promise/,
    ],
    ["a function that gives nothing", () => undefined, /the step gave undefined/],
    [
      "a function that gives a field that the graph lacks",
      ({ total, ...rest }: Record<string, unknown>) => ({ ...rest, amout: total }),
      /no field "amout"/,
    ],
    [
      "a function that gives a Promise for a field",
      ({ total, ...rest }: Record<string, unknown>) => ({
        ...rest,
        amount: Promise.resolve(total),
      }),
      /"amount".*Promise/,
    ],
  ])("%s", async (_name, step, message) => {
    await first().invoke({}, config);
    const graph = second({ version: 2, migrate: { 1: step } });
    for (const work of [
      () => graph.getState(config),
      () => graph.invoke(new Command({ resume: 1 }), config),
    ]) {
      const error = (await work().catch((caught: unknown) => caught)) as Error;
      expect(error).toMatchObject({
        code: "migration_failed",
        message: expect.stringMatching(message) as string,
      });
      expect(error.message).toMatch(
        /^Thread "1", checkpoint \S+: its state can't be taken from version 1 to 2/,
      );
      expect(error.message).not.toContain("secret");
    }
    // Nothing was stored.
    expect((await first().getState(config)).values).toEqual({ total: 12, buyer: "Ada" });
  });

  it("tells what the step threw as its cause", async () => {
    await first().invoke({}, config);
    const cause = new RangeError("why");
    const convert = {
      amount: () => {
        throw cause;
      },
    };
    const graph = second({ version: 2, migrate: { 1: { ...toAmount, convert } } });
    await expect(graph.getState(config)).rejects.toMatchObject({ cause });
  });

  it("in a Send too, which may hold more than fields", async () => {
    const build = (schema: unknown, key: string): LooseCompiled =>
      looseGraph(schema)
        .addNode("begin", () => ({ [key]: 1 }))
        .addNode("work", () => ({ [key]: interrupt("go on?") }))
        .addEdge(START, "begin")
        .addConditionalEdges(
          "begin",
          (s: object) => [new Send("work", { ...s, buyer: "x", line: 3 })],
          ["work"],
        )
        .compile({ checkpointer: saver });
    await withAllowlist(build(Old, "total")).invoke({}, config);
    const over = (step: NonNullable<StateVersion["migrate"]>[number]): LooseCompiled =>
      withAllowlist(build(Now, "amount"), { state: { version: 2, migrate: { 1: step } } });
    await expect(over({ rename: { total: "buyer" } }).getState(config)).rejects.toThrow(
      /no field|rename\.total/,
    );
    expect((await over(toAmount).getState(config)).values).toEqual({ amount: 1 });
  });
});
