import type { Case } from "./case.ts";

/** What JSON has, at the borders of each wire form. */
export const plainCases: Case[] = [
  { name: "null", value: () => null, hex: "c0", tag: "msgpack" },
  { name: "true", value: () => true, hex: "c3", tag: "msgpack" },
  { name: "false", value: () => false, hex: "c2", tag: "msgpack" },
  {
    name: "zero",
    value: () => 0,
    hex: "cc00",
    why: "one byte below 0x80 would pass for JSON text",
  },
  { name: "127", value: () => 127, hex: "cc7f", why: "as zero" },
  { name: "123, which JSON text may begin with", value: () => 0x7b, hex: "cc7b" },
  { name: "small integer inside", value: () => [5], hex: "9105", tag: "msgpack" },
  { name: "128", value: () => 128, hex: "cc80" },
  { name: "-1", value: () => -1, hex: "ff" },
  { name: "-32", value: () => -32, hex: "e0" },
  { name: "-33", value: () => -33, hex: "d0df" },
  { name: "255", value: () => 255, hex: "ccff" },
  { name: "256", value: () => 256, hex: "cd0100" },
  { name: "65535", value: () => 65_535, hex: "cdffff" },
  { name: "65536", value: () => 65_536, hex: "ce00010000" },
  { name: "2^32 - 1", value: () => 2 ** 32 - 1, hex: "ceffffffff" },
  { name: "2^32", value: () => 2 ** 32, hex: "cf0000000100000000" },
  { name: "-2^31", value: () => -(2 ** 31), hex: "d280000000" },
  { name: "-2^31 - 1", value: () => -(2 ** 31) - 1, hex: "d3ffffffff7fffffff" },
  { name: "largest safe integer", value: () => Number.MAX_SAFE_INTEGER, hex: "cf001fffffffffffff" },
  {
    name: "smallest safe integer",
    value: () => Number.MIN_SAFE_INTEGER,
    hex: "d3ffe0000000000001",
  },
  {
    name: "2^53",
    value: () => 2 ** 53,
    hex: "cb4340000000000000",
    why: "an integer only by chance",
  },
  { name: "2^63", value: () => 2 ** 63 },
  { name: "2^64", value: () => 2 ** 64 },
  { name: "fraction", value: () => 0.1, hex: "cb3fb999999999999a", tag: "msgpack" },
  { name: "smallest number", value: () => Number.MIN_VALUE },
  { name: "largest number", value: () => Number.MAX_VALUE },
  { name: "empty text", value: () => "", hex: "a0" },
  { name: "text of 31 bytes", value: () => "a".repeat(31) },
  { name: "text of 32 bytes", value: () => "a".repeat(32) },
  { name: "text of 255 bytes", value: () => "a".repeat(255) },
  { name: "text of 256 bytes", value: () => "a".repeat(256) },
  { name: "text of 65536 bytes", large: true, value: () => "a".repeat(65_536) },
  { name: "text whose size in bytes takes a wider header", value: () => "é".repeat(20) },
  { name: "long text whose size in bytes takes a wider header", value: () => "é".repeat(200) },
  { name: "text of characters of four bytes", value: () => "🚀".repeat(300) },
  { name: "text with a byte order mark", value: () => "\uFEFFbegins" },
  { name: "long text with a byte order mark", value: () => `\uFEFF${"x".repeat(300)}` },
  { name: "text with NUL", value: () => "a\0b" },
  { name: "text that holds U+FFFD", value: () => "a\uFFFDb" },
  { name: "long text that holds U+FFFD", value: () => `${"x".repeat(300)}\uFFFD` },
  {
    name: "text of all sizes",
    value: () => Array.from({ length: 70 }, (_, i) => "aé数🚀".repeat(i)),
  },
  { name: "empty array", value: () => [], hex: "90" },
  { name: "array of 15", value: () => Array.from({ length: 15 }, (_, i) => i) },
  { name: "array of 16", value: () => Array.from({ length: 16 }, (_, i) => i) },
  { name: "array of 65536", large: true, value: () => Array.from({ length: 65_536 }, () => 1) },
  { name: "nested arrays", value: () => [[], [[]], [[[1, "a", null]]]] },
  { name: "empty record", value: () => ({}), hex: "80" },
  { name: "record", value: () => ({ a: 1, b: [true, null], c: { d: "x" } }) },
  { name: "record of 16 keys", value: () => record(16) },
  { name: "record of 65536 keys", large: true, value: () => record(65_536) },
  { name: "numeric keys", value: () => ({ 10: "a", 2: "b", x: "c", "-1": "d", "01": "e" }) },
  { name: "empty key", value: () => ({ "": { "": 1 } }) },
  { name: "keys with NUL", value: () => ({ "\0": 1, "\0k0": 2, "\0t": 3, "a\0": 4 }) },
  { name: "long keys", value: () => ({ ["k".repeat(40)]: 1, ["é".repeat(200)]: 2 }) },
  { name: "key with a byte order mark", value: () => ({ "\uFEFFa": 1 }) },
  {
    name: "keys named as members of Object",
    value: () => ({ constructor: 1, toString: 2, hasOwnProperty: 3, valueOf: null }),
  },
  {
    name: "keys that other serializers give a meaning",
    value: () => ({ toJSON: 1, $ref: "x", __type: "y", prototype: 1 }),
  },
  { name: "own __proto__ key", value: () => JSON.parse('{"__proto__":{"admin":true},"b":1}') },
  {
    name: "own __proto__ key, deep",
    value: () => JSON.parse('{"a":[{"__proto__":null}],"__proto__":1}'),
  },
  {
    name: "own __proto__ and numeric keys",
    value: () => JSON.parse('{"__proto__":1,"1":{"__proto__":[2]}}'),
  },
  {
    name: "shape of a LangChain constructor",
    value: () => ({ lc: 1, type: "constructor", id: ["acme", "X"], kwargs: {} }),
  },
  {
    name: "shape of a LangChain message",
    value: () => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", "AIMessage"],
      kwargs: { content: "x" },
    }),
  },
  { name: "shape of a LangChain secret", value: () => ({ lc: 1, type: "secret", id: ["PATH"] }) },
  {
    name: "shape of a LangGraph Set",
    value: () => ({
      lc: 2,
      type: "constructor",
      id: ["Set"],
      method: null,
      args: [[1]],
      kwargs: {},
    }),
  },
  { name: "shape of undefined", value: () => ({ lc: 2, type: "undefined" }) },
  { name: "shape of a Send", value: () => ({ node: "tools", args: { a: 1 } }) },
  {
    name: "shape of a Send with its name",
    value: () => ({ lg_name: "Send", node: "tools", args: { a: 1 } }),
  },
  { name: "shape of a Command", value: () => ({ lg_name: "Command", update: [1], goto: [] }) },
  { name: "shape of an Overwrite", value: () => ({ __overwrite__: 1, lg_name: "Overwrite" }) },
  { name: "shape of a message's data", value: () => ({ type: "human", data: { content: "x" } }) },
  { name: "shape of an escaped value", value: () => ({ __lc_escaped__: { lc: 1 } }) },
  { name: "text that looks like JSON", value: () => '{"lc":1}' },
  { name: "60 levels", value: () => deep(60) },
  { name: "200 levels", value: () => deep(200) },
];

function record(size: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i]));
}

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? { down: value } : [value];
  return value;
}
