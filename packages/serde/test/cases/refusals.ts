import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { createContext, runInContext } from "node:vm";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import type { SerdeErrorCode } from "../../src/index.ts";

/** A value that can't be kept, and what the error says of it. */
export interface Refusal {
  readonly name: string;
  readonly value: () => unknown;
  readonly problems: readonly (readonly [
    code: SerdeErrorCode,
    path: string,
    className?: string | undefined,
  ])[];
  /** Part of the message: what to do instead. */
  readonly advice?: string;
}

class Money {
  amount = "SECRET";
}

class Ledger {
  toJSON(): string {
    return "SECRET";
  }
}

class Greeting extends HumanMessage {}
class Stamp extends Date {}
class Registry extends Map {}
class Failure extends Error {}
class Pixels extends Uint8Array {}

export const refusals: Refusal[] = [
  {
    name: "function",
    value: () => () => "SECRET",
    problems: [["unsupported_type", "", "Function"]],
    advice: "untracked",
  },
  {
    name: "function, deep",
    value: () => ({ deep: [{ fn: () => 1 }] }),
    problems: [["unsupported_type", "deep[0].fn", "Function"]],
  },
  {
    name: "class",
    value: () => ({ type: Money }),
    problems: [["unsupported_type", "type", "Function"]],
  },
  {
    name: "symbol",
    value: () => [Symbol("SECRET")],
    problems: [["unsupported_type", "[0]", "Symbol"]],
  },
  {
    name: "symbol key",
    value: () => ({ a: { [Symbol("SECRET")]: 1 } }),
    problems: [["unsupported_type", "a"]],
  },
  {
    name: "promise",
    value: () => ({ later: Promise.resolve("SECRET") }),
    problems: [["unsupported_type", "later", "Promise"]],
    advice: "await",
  },
  { name: "WeakMap", value: () => new WeakMap(), problems: [["unsupported_type", "", "WeakMap"]] },
  {
    name: "WeakSet",
    value: () => [new WeakSet()],
    problems: [["unsupported_type", "[0]", "WeakSet"]],
  },
  {
    name: "WeakRef",
    value: () => ({ ref: new WeakRef({}) }),
    problems: [["unsupported_type", "ref", "WeakRef"]],
  },
  {
    name: "stream",
    value: () => ({ in: Readable.from([]) }),
    problems: [["unsupported_type", "in", "Readable"]],
  },
  {
    name: "web stream",
    value: () => ({ in: new ReadableStream() }),
    problems: [["unsupported_type", "in", "ReadableStream"]],
  },
  {
    name: "socket",
    value: () => ({ socket: new Socket() }),
    problems: [["unsupported_type", "socket", "Socket"]],
    advice: "resource",
  },
  {
    name: "process",
    value: () => ({ child: { handle: process } }),
    problems: [["unsupported_type", "child.handle", "process"]],
  },
  {
    name: "event emitter",
    value: () => new EventEmitter(),
    problems: [["unsupported_type", "", "EventEmitter"]],
  },
  {
    name: "abort signal",
    value: () => AbortSignal.abort(),
    problems: [["unsupported_type", "", "AbortSignal"]],
  },
  {
    name: "iterator",
    value: () => ({ it: [1][Symbol.iterator]() }),
    problems: [["unsupported_type", "it"]],
  },
  {
    name: "generator",
    value: () => ({ it: (function* () {})() }),
    problems: [["unsupported_type", "it"]],
  },
  {
    name: "Proxy",
    value: () => ({ p: new Proxy({}, {}) }),
    problems: [["unsupported_type", "p", "Proxy"]],
  },
  {
    name: "Proxy of an array",
    value: () => [new Proxy([], {})],
    problems: [["unsupported_type", "[0]", "Proxy"]],
  },
  {
    name: "boxed number",
    value: () => [new Number(1)],
    problems: [["unsupported_type", "[0]", "Number"]],
    advice: "primitive",
  },
  {
    name: "boxed text",
    value: () => [new String("SECRET")],
    problems: [["unsupported_type", "[0]", "String"]],
  },
  {
    name: "boxed BigInt",
    value: () => Object(1n) as unknown,
    problems: [["unsupported_type", "", "BigInt"]],
  },
  {
    name: "boxed symbol",
    value: () => Object(Symbol("SECRET")) as unknown,
    problems: [["unsupported_type", "", "Symbol"]],
  },
  {
    name: "array with extra keys",
    value: () => ({ a: Object.assign([1], { total: "SECRET" }) }),
    problems: [["unsupported_type", "a", "Array"]],
  },
  {
    name: "array with a symbol key",
    value: () => Object.assign([1], { [Symbol("SECRET")]: 1 }),
    problems: [["unsupported_type", "", "Array"]],
  },
  {
    name: "result of a RegExp",
    value: () => ({ m: /a/.exec("a") }),
    problems: [["unsupported_type", "m", "Array"]],
  },
  {
    name: "subclass of Array",
    value: () => new (class Stack extends Array {})(),
    problems: [["unregistered_class", "", "Stack"]],
  },
  {
    name: "Map with extra keys",
    value: () => Object.assign(new Map(), { total: 1 }),
    problems: [["unsupported_type", "", "Map"]],
  },
  {
    name: "Date with extra keys",
    value: () => ({ d: Object.assign(new Date(0), { zone: "SECRET" }) }),
    problems: [["unsupported_type", "d", "Date"]],
  },
  {
    name: "RegExp with extra keys",
    value: () => Object.assign(/a/, { note: 1 }),
    problems: [["unsupported_type", "", "RegExp"]],
  },
  {
    name: "typed array with extra keys",
    value: () => Object.assign(new Float32Array(1), { unit: "SECRET" }),
    problems: [["unsupported_type", "", "Float32Array"]],
  },
  {
    name: "bytes with extra keys",
    value: () => Object.assign(new Uint8Array(1), { unit: 1 }),
    problems: [["unsupported_type", "", "Uint8Array"]],
  },
  {
    name: "Buffer with extra keys",
    value: () => Object.assign(Buffer.from("x"), { unit: 1 }),
    problems: [["unsupported_type", "", "Buffer"]],
  },
  {
    name: "SharedArrayBuffer",
    value: () => ({ m: new SharedArrayBuffer(1) }),
    problems: [["unsupported_type", "m", "SharedArrayBuffer"]],
  },
  {
    name: "view of a SharedArrayBuffer",
    value: () => [new Uint8Array(new SharedArrayBuffer(1))],
    problems: [["unsupported_type", "[0]", "Uint8Array"]],
  },
  {
    name: "Intl object",
    value: () => new Intl.NumberFormat(),
    problems: [["unregistered_class", "", "NumberFormat"]],
  },
  {
    name: "arguments",
    value: () =>
      (function () {
        return arguments;
      })(),
    problems: [["unsupported_type", ""]],
  },
  {
    name: "module namespace",
    value: () => ({ ns: namespace }),
    problems: [["unsupported_type", "ns"]],
  },
  {
    name: "instance",
    value: () => ({ cart: new Money() }),
    problems: [["unregistered_class", "cart", "Money"]],
    advice: "types: { Money }",
  },
  {
    name: "instance with toJSON",
    value: () => new Ledger(),
    problems: [["unregistered_class", "", "Ledger"]],
    advice: "toJSON",
  },
  {
    name: "instance of a class without a name",
    value: () => new (class {})(),
    problems: [["unregistered_class", "", "(anonymous)"]],
  },
  {
    name: "object with a prototype of its own",
    value: () => Object.create({ a: 1 }) as object,
    problems: [["unregistered_class", ""]],
  },
  {
    name: "subclass of a message",
    value: () => ({ messages: [new HumanMessage("x"), new Greeting("SECRET")] }),
    problems: [["unregistered_class", "messages[1]", "Greeting"]],
  },
  {
    name: "subclass of Date",
    value: () => new Stamp(0),
    problems: [["unregistered_class", "", "Stamp"]],
  },
  {
    name: "subclass of Map",
    value: () => [new Registry()],
    problems: [["unregistered_class", "[0]", "Registry"]],
  },
  {
    name: "subclass of Error",
    value: () => new Failure("SECRET"),
    problems: [["unregistered_class", "", "Failure"]],
  },
  {
    name: "subclass of Uint8Array",
    value: () => new Pixels(1),
    problems: [["unregistered_class", "", "Pixels"]],
  },
  {
    name: "forged Date",
    value: () => Object.create(Date.prototype) as object,
    problems: [["unsupported_type", "", "Date"]],
  },
  {
    name: "forged Map",
    value: () => Object.create(Map.prototype) as object,
    problems: [["unsupported_type", "", "Map"]],
  },
  {
    name: "forged URL",
    value: () => Object.create(URL.prototype) as object,
    problems: [["unsupported_type", "", "URL"]],
  },
  {
    name: "forged bytes",
    value: () => Object.create(Uint8Array.prototype) as object,
    problems: [["unsupported_type", "", "Uint8Array"]],
  },
  {
    name: "forged typed array",
    value: () => Object.create(Float32Array.prototype) as object,
    problems: [["unsupported_type", "", "Float32Array"]],
  },
  {
    name: "forged Error",
    value: () => Object.create(TypeError.prototype) as object,
    problems: [["unsupported_type", "", "TypeError"]],
  },
  {
    name: "instance of a class of another realm",
    value: () => runInContext("class Far { a = 1 }; new Far()", createContext()) as object,
    problems: [["unregistered_class", "", "Far"]],
  },
  {
    name: "several at once",
    value: () => ({
      a: () => 1,
      list: [1, Symbol("x"), { deep: new Money() }],
      map: new Map<unknown, unknown>([
        ["k", () => 1],
        [Symbol("y"), 1],
      ]),
    }),
    problems: [
      ["unsupported_type", "a", "Function"],
      ["unsupported_type", "list[1]", "Symbol"],
      ["unregistered_class", "list[2].deep", "Money"],
      ["unsupported_type", 'map.get("k")', "Function"],
      ["unsupported_type", "map.keys()[1]", "Symbol"],
    ],
  },
  {
    name: "in a message's artifact",
    value: () => ({
      messages: [
        1,
        2,
        3,
        new ToolMessage({ content: "x", tool_call_id: "c", artifact: { handle: () => 1 } }),
      ],
    }),
    problems: [["unsupported_type", "messages[3].artifact.handle", "Function"]],
  },
  {
    name: "in a Map",
    value: () => ({ cart: new Map([["k", () => 1]]) }),
    problems: [["unsupported_type", 'cart.get("k")', "Function"]],
  },
  {
    name: "in a Set",
    value: () => ({ s: new Set([() => 1]) }),
    problems: [["unsupported_type", "s.values()[0]", "Function"]],
  },
  {
    name: "in a Send",
    value: () => new Send("tools", { session: () => 1 }),
    problems: [["unsupported_type", 'Send("tools").args.session', "Function"]],
  },
  {
    name: "in a Send in an array",
    value: () => [new Send("tools", { session: () => 1 })],
    problems: [["unsupported_type", '[0] → Send("tools").args.session', "Function"]],
  },
  {
    name: "in an error's cause",
    value: () => new Error("x", { cause: { fn: () => 1 } }),
    problems: [["unsupported_type", "cause.fn", "Function"]],
  },
  {
    name: "under odd keys",
    value: () => ({ "a b": { "": { "0x": () => 1 } } }),
    problems: [["unsupported_type", '["a b"][""]["0x"]', "Function"]],
  },
];

const namespace = await import("node:path");
