import { Document } from "@langchain/core/documents";
import { HumanMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { EventEmitter } from "node:events";
import { isInert, MsgpackSerializer } from "../../src/index.ts";
import type { KindId } from "../../src/kinds/kinds.ts";

class Money {
  amount = "SECRET";
}

/** A value of each kind, and the type that a problem names for it. */
export const kinds: Readonly<Record<KindId, readonly [type: string, value: () => unknown]>> = {
  nonFinite: ["NaN", () => Number.NaN],
  negativeZero: ["-0", () => -0],
  undefined: ["undefined", () => undefined],
  hole: ["Array", () => [1, , 2]],
  bigint: ["bigint", () => 5n],
  loneSurrogate: ["string", () => "SECRET\ud800"],
  protoKey: ["Object", () => JSON.parse('{"__proto__":1}') as unknown],
  nullPrototype: ["Object", () => Object.assign(Object.create(null) as object, { a: 1 })],
  cycle: ["Object", cycle],
  date: ["Date", () => new Date(0)],
  textMap: ["Map", () => new Map([["SECRET", 1]])],
  map: ["Map", () => new Map([[1, 1]])],
  set: ["Set", () => new Set(["SECRET"])],
  regexp: ["RegExp", () => /SECRET/],
  url: ["URL", () => new URL("https://SECRET.example")],
  error: ["TypeError", () => new TypeError("SECRET")],
  bytes: ["Buffer", () => Buffer.from("SECRET")],
  typedArray: ["Float32Array", () => Float32Array.of(1)],
  message: ["HumanMessage", () => new HumanMessage("SECRET")],
  document: ["Document", () => new Document({ pageContent: "SECRET" })],
  control: ["Send", () => new Send("SECRET", {})],
  inert: ["InertValue", inert],
  instance: ["Money", () => new Money()],
  function: ["Function", () => () => "SECRET"],
  symbol: ["Symbol", () => Symbol("SECRET")],
  symbolKey: ["Object", () => ({ [Symbol("SECRET")]: 1 })],
  extraKeys: ["Array", () => Object.assign([1], { SECRET: 1 })],
  proxy: ["Proxy", () => new Proxy({}, {})],
  promise: ["Promise", () => Promise.resolve("SECRET")],
  weak: ["WeakMap", () => new WeakMap()],
  shared: ["SharedArrayBuffer", () => new SharedArrayBuffer(1)],
  boxed: ["Number", () => Object(1) as unknown],
  live: ["EventEmitter", () => new EventEmitter()],
  forged: ["Date", () => Object.create(Date.prototype) as unknown],
};

function cycle(): unknown {
  const list: unknown[] = [];
  list.push({ list });
  return list;
}

function inert(): unknown {
  const bytes = new MsgpackSerializer({ types: { Money } }).dumps(new Money());
  const value = new MsgpackSerializer({ onBlocked: "inert" }).loads(bytes);
  if (!isInert(value)) throw new Error("not inert");
  return value;
}
