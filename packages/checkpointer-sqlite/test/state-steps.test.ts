import { Overwrite, Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { changeValues, changeWrites } from "../src/drift/parts.ts";
import type { StateStep } from "../src/drift/steps.ts";
import { takeStep } from "../src/drift/take-step.ts";
import { SaverError } from "../src/index.ts";

const whole = { kind: "checkpoint" } as const;
const update = { kind: "update" } as const;

describe("a step", () => {
  it.each<[string, StateStep, object, object, object]>([
    ["renames", { rename: { a: "b" } }, { a: 1, c: 2 }, { b: 1, c: 2 }, { b: 1, c: 2 }],
    ["swaps names", { rename: { a: "b", b: "a" } }, { a: 1, b: 2 }, { b: 1, a: 2 }, { b: 1, a: 2 }],
    [
      "converts by new names",
      { rename: { a: "b" }, convert: { b: String } },
      { a: 1 },
      { b: "1" },
      { b: "1" },
    ],
    [
      "splits",
      { split: { a: ([b, c]: number[]) => ({ b, c }) } },
      { a: [1, 2] },
      { b: 1, c: 2 },
      { b: 1, c: 2 },
    ],
    [
      "splits into a field of the same name",
      { split: { a: (a: number) => ({ a, b: a }) } },
      { a: 1 },
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ],
    ["removes", { remove: ["a", "x"] }, { a: 1, b: 2 }, { b: 2 }, { b: 2 }],
    ["adds to whole states alone", { add: { b: () => 2 } }, { a: 1 }, { a: 1, b: 2 }, { a: 1 }],
    ["adds nothing where something is", { add: { a: () => 2 } }, { a: 1 }, { a: 1 }, { a: 1 }],
    ["adds by what is there", { add: { b: ({ a }) => a } }, { a: 1 }, { a: 1, b: 1 }, { a: 1 }],
    [
      "leaves alone what it does not name",
      {},
      { a: undefined, b: null },
      { a: undefined, b: null },
      { a: undefined, b: null },
    ],
    [
      "drops what a function leaves undefined",
      ({ a }) => ({ a, b: undefined }),
      { a: 1 },
      { a: 1 },
      { a: 1 },
    ],
    [
      "knows a name like any other",
      { rename: { a: "constructor" } },
      { a: 1, toString: 2 },
      { constructor: 1, toString: 2 },
      { constructor: 1, toString: 2 },
    ],
  ])("%s", (_, step, before, state, part) => {
    const copy = { ...before };
    expect(takeStep(step, before as never, whole)).toStrictEqual(state);
    expect(takeStep(step, before as never, update)).toStrictEqual(part);
    expect(before).toStrictEqual(copy);
  });

  it.each([null, "x", [], new Map(), 1])("that gives %s is an error", (made) => {
    expect(() => takeStep(() => made as never, {}, whole)).toThrow(SaverError);
  });

  it("changes what an Overwrite holds", () => {
    const step: StateStep = {
      rename: { a: "b" },
      convert: { b: (value: number) => value * 100 },
      split: { c: (value: string) => ({ d: value, e: value }) },
    };
    const made = takeStep(step, { a: new Overwrite(5), c: { __overwrite__: "x" } }, update);
    expect(made).toEqual({
      b: new Overwrite(500),
      d: { __overwrite__: "x" },
      e: { __overwrite__: "x" },
    });
    expect(made.b).toBeInstanceOf(Overwrite);
  });
});

describe("parts of a state", () => {
  const change = (
    state: Record<string, unknown>,
    { kind, node }: { kind: string; node?: string },
  ) => ({
    ...Object.fromEntries(Object.entries(state).map(([key, value]) => [key.toUpperCase(), value])),
    kind: node === undefined ? kind : `${kind} ${node}`,
  });

  it("are fields, what a run was started with, and what is sent", () => {
    const send = new Send("work", { a: 1 }, { timeout: 5 });
    const values = changeValues(
      {
        a: 1,
        __start__: { a: 2 },
        __pregel_tasks: [send, "odd", new Send("other", "text")],
        "branch:to:work": 3,
        "join:a+b:c": 4,
      },
      change,
    );
    expect(values).toEqual({
      A: 1,
      kind: "checkpoint",
      __start__: { A: 2, kind: "input" },
      __pregel_tasks: [
        new Send("work", { A: 1, kind: "send work" }, { timeout: 5 }),
        "odd",
        new Send("other", "text"),
      ],
      "branch:to:work": 3,
      "join:a+b:c": 4,
    });
    expect(send.args).toEqual({ a: 1 });
  });

  it("are what one task wrote: together where each field was written once, else one by one", () => {
    expect(
      changeWrites(
        [
          ["t", "a", 1],
          ["t", "branch:to:x", null],
          ["t", "b", 2],
        ],
        change,
      ),
    ).toEqual([
      ["t", "A", 1],
      ["t", "B", 2],
      ["t", "kind", "update"],
      ["t", "branch:to:x", null],
    ]);
    expect(
      changeWrites(
        [
          ["t", "a", 1],
          ["t", "a", 2],
        ],
        change,
      ),
    ).toEqual([
      ["t", "A", 1],
      ["t", "kind", "update"],
      ["t", "A", 2],
      ["t", "kind", "update"],
    ]);
    expect(changeWrites([["t", "__pregel_tasks", new Send("n", { a: 1 })]], change)).toEqual([
      ["t", "__pregel_tasks", new Send("n", { A: 1, kind: "send n" })],
    ]);
  });
});
