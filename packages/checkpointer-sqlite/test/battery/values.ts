import assert from "node:assert/strict";
import type { BatteryCase } from "./survive.ts";

/** A class that the graph is told of. */
export class Money {
  readonly amount: bigint;
  readonly currency: string;

  constructor(amount: bigint, currency: string) {
    this.amount = amount;
    this.currency = currency;
  }
}

interface Cycle {
  n: number;
  self: Cycle;
}

function holed(): unknown[] {
  const list: unknown[] = [1, 2, 3];
  delete list[1];
  return list;
}

function sameError(got: Error, stored: Error): void {
  assert.equal(Object.getPrototypeOf(got), Object.getPrototypeOf(stored));
  assert.equal(got.message, stored.message);
  assert.deepEqual({ ...got }, { ...stored });
  assert.equal(got.cause instanceof Error, stored.cause instanceof Error);
  if (stored.cause instanceof Error) sameError(got.cause as Error, stored.cause);
}

/** Plain values, and those of the language's own classes. */
export const VALUES: readonly BatteryCase[] = [
  { name: "date", value: () => new Date(1_700_000_000_123) },
  {
    name: "invalid date",
    value: () => new Date(Number.NaN),
    // Node.js 20 holds no invalid date to be another's equal.
    check: (got: Date) => assert.equal(String(got), "Invalid Date"),
  },
  { name: "date before 1970", value: () => new Date(-1) },
  { name: "bigint", value: () => 123_456_789_012_345_678_901_234_567_890n },
  { name: "negative bigint", value: () => -5n },
  { name: "bigint of 64 bits", value: () => 2n ** 64n - 1n },
  { name: "NaN", value: () => Number.NaN },
  { name: "Infinity", value: () => [Infinity, -Infinity] },
  { name: "minus zero", value: () => -0 },
  { name: "large integer", value: () => Number.MAX_SAFE_INTEGER },
  { name: "lone surrogate", value: () => "a\ud800b" },
  { name: "text with NUL and emoji", value: () => "a\u0000b😀" },
  { name: "undefined field", value: () => ({ a: undefined, b: null }) },
  { name: "undefined item", value: () => [undefined, null, 1] },
  { name: "hole in a list", value: holed },
  {
    name: "map of dates",
    value: () =>
      new Map([
        ["a", new Date(0)],
        ["b", new Date(1)],
      ]),
  },
  {
    name: "map with number keys",
    value: () =>
      new Map([
        [1, "a"],
        [2, "b"],
      ]),
  },
  { name: "map with object keys", value: () => new Map([[{ id: 1 }, "a"]]) },
  {
    name: "map with mixed keys",
    value: () =>
      new Map<unknown, number>([
        ["1", 1],
        [1, 2],
        [null, 3],
      ]),
  },
  { name: "set of dates", value: () => new Set([new Date(5)]) },
  { name: "set in a map in a set", value: () => new Set([new Map([["a", new Set([1])]])]) },
  { name: "empty collections", value: () => [{}, [], new Map(), new Set(), ""] },
  { name: "record without a prototype", value: () => Object.assign(Object.create(null), { a: 1 }) },
  {
    name: "own __proto__ key",
    value: () => JSON.parse('{"__proto__":{"admin":true},"b":1}') as unknown,
    check: (got: Record<string, unknown>) => {
      assert.equal(got.admin, undefined);
      assert.deepStrictEqual(Object.keys(got).sort(), ["__proto__", "b"]);
    },
  },
  { name: "key named constructor", value: () => ({ constructor: 1, prototype: 2, toJSON: 3 }) },
  { name: "key of spaces and dots", value: () => ({ " a.b[0] ": { "": 1 } }) },
  { name: "record nested 200 deep", value: () => nested(200) },
  { name: "bytes", value: () => new Uint8Array([0, 1, 200, 255]) },
  { name: "a megabyte of bytes", value: () => new Uint8Array(1 << 20).fill(7) },
  { name: "buffer", value: () => Buffer.from("bytes") },
  { name: "array buffer", value: () => Uint8Array.of(1, 2, 3).buffer },
  { name: "data view", value: () => new DataView(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2) },
  { name: "float32 embedding", value: () => new Float32Array([0.1, -2.5, 3e10]) },
  { name: "float64 with NaN", value: () => new Float64Array([Number.NaN, -0, 1]) },
  { name: "64-bit integers", value: () => new BigInt64Array([-1n, 2n ** 62n]) },
  { name: "view of a longer buffer", value: () => new Int16Array([1, 2, 3, 4]).subarray(1, 3) },
  { name: "regular expression", value: () => /a+(b)/giu },
  {
    name: "regular expression that is under way",
    value: () => Object.assign(/a/g, { lastIndex: 3 }),
    check: (got: RegExp) => assert.equal(got.lastIndex, 3),
  },
  { name: "url", value: () => new URL("https://a.example/b?c=1#d") },
  {
    name: "type error with cause",
    value: () => new TypeError("bad", { cause: new RangeError("why") }),
    check: sameError,
  },
  {
    name: "error with fields",
    value: () => Object.assign(new Error("bad"), { status: 404, at: new Date(1) }),
    check: sameError,
  },
  {
    name: "aggregate error",
    value: () => new AggregateError([new Error("a"), new TypeError("b")], "both"),
    check: (got: AggregateError, stored: AggregateError) => {
      sameError(got, stored);
      stored.errors.forEach((error, i) => sameError(got.errors[i] as Error, error as Error));
    },
  },
  {
    name: "cycle",
    value: () => {
      const cycle = { n: 1 } as Cycle;
      cycle.self = cycle;
      return cycle;
    },
    check: (got: Cycle) => {
      assert.equal(got.n, 1);
      assert.equal(got.self, got);
    },
  },
  {
    name: "cycle through a map",
    value: () => {
      const map = new Map<string, unknown>();
      map.set("self", [map]);
      return map;
    },
    check: (got: Map<string, unknown[]>) => assert.equal(got.get("self")?.[0], got),
  },
  {
    name: "object that stands in two places",
    value: () => {
      const shared = { n: 1 };
      return { a: shared, b: [shared] };
    },
    check: (got: { a: object; b: object[] }) => assert.equal(got.a, got.b[0]),
  },
  { name: "instance of a known class", value: () => new Money(5n, "EUR") },
];

/** Data that looks like what serializers mark their own values with. */
export const LOOKALIKES: readonly BatteryCase[] = [
  { name: "lc: 1", value: () => ({ lc: 1, type: "constructor", id: ["acme", "X"], kwargs: {} }) },
  { name: "lc: 2", value: () => ({ lc: 2, type: "constructor", id: ["Set"], args: [[1]] }) },
  { name: "lc: 2, undefined", value: () => ({ lc: 2, type: "undefined" }) },
  { name: "a Send's fields", value: () => ({ node: "n", args: { a: 1 } }) },
  { name: "a message's fields", value: () => ({ type: "human", content: "hi" }) },
];

/** What can't be kept. */
export const REFUSED: readonly BatteryCase[] = [
  { name: "function", value: () => ({ deep: [{ fn: () => 1 }] }), isRefused: true },
  { name: "symbol", value: () => [Symbol("s")], isRefused: true },
  { name: "symbol key", value: () => ({ [Symbol("s")]: 1 }), isRefused: true },
  { name: "promise", value: () => ({ later: Promise.resolve(1) }), isRefused: true },
  { name: "weak map", value: () => new WeakMap(), isRefused: true },
  { name: "list with another key", value: () => Object.assign([1], { extra: 2 }), isRefused: true },
  { name: "class that nobody named", value: () => new (class Basket {})(), isRefused: true },
  { name: "generator", value: () => [1, 2].values(), isRefused: true },
  {
    name: "abort signal",
    value: () => ({ signal: new AbortController().signal }),
    isRefused: true,
  },
];

function nested(depth: number): unknown {
  let value: unknown = "end";
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}
