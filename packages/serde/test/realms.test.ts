import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";
import * as messages from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { caught } from "./caught.ts";
import { assertSame } from "./same.ts";

const serializer = new MsgpackSerializer();
const require = createRequire(import.meta.url);

describe("values of another realm", () => {
  const context = createContext({});

  it.each<[string, unknown]>([
    ["({ a: [1, { b: 2 }], c: undefined })", { a: [1, { b: 2 }], c: undefined }],
    ["[1, , 3]", [1, , 3]],
    ["Object.create(null)", Object.create(null)],
    ["new Date(5)", new Date(5)],
    ["new Map([['a', new Set([1])]])", new Map([["a", new Set([1])]])],
    ["/a/gi", /a/gi],
    [
      "new TypeError('x', { cause: new Error('y') })",
      new TypeError("x", { cause: new Error("y") }),
    ],
    [
      "new AggregateError([new RangeError('a')], 'm')",
      new AggregateError([new RangeError("a")], "m"),
    ],
    ["new Uint8Array([1, 2])", new Uint8Array([1, 2])],
    ["new Float32Array([1.5])", new Float32Array([1.5])],
    ["new BigInt64Array([5n])", new BigInt64Array([5n])],
    ["new Uint8ClampedArray([5])", new Uint8ClampedArray([5])],
    ["new Uint8Array([1]).buffer", new Uint8Array([1]).buffer],
    ["new DataView(new ArrayBuffer(2))", new DataView(new ArrayBuffer(2))],
    ["JSON.parse('{\"__proto__\":1}')", JSON.parse('{"__proto__":1}')],
    [
      "(() => { const a = {}; a.a = a; return a; })()",
      (() => {
        const a: Record<string, unknown> = {};
        a.a = a;
        return a;
      })(),
    ],
  ])("come back as this realm's: %s", (code, wanted) => {
    assertSame(serializer.loads(serializer.dumps(runInContext(code, context))), wanted);
  });

  it.each([
    "new (class Money { a = 1 })()",
    "new (class extends Map {})()",
    "new (class extends Array {})()",
    "() => 1",
    "Object.create({})",
  ])("are refused as they are here: %s", (code) => {
    expect(caught(() => serializer.dumps({ a: runInContext(code, context) as unknown })).path).toBe(
      "a",
    );
  });
});

describe("objects of another copy of LangChain", () => {
  const other = require("@langchain/core/messages") as typeof messages;
  const langgraph = require("@langchain/langgraph") as typeof import("@langchain/langgraph");
  const checkpoint =
    require("@langchain/langgraph-checkpoint") as typeof import("@langchain/langgraph-checkpoint");
  const documents =
    require("@langchain/core/documents") as typeof import("@langchain/core/documents");

  it("are really of another", () => {
    expect(other.HumanMessage).not.toBe(messages.HumanMessage);
  });

  it.each<[string, object, object]>([
    ["HumanMessage", new other.HumanMessage("x"), new messages.HumanMessage("x")],
    [
      "AIMessage",
      new other.AIMessage({ content: "x", id: "1" }),
      new messages.AIMessage({ content: "x", id: "1" }),
    ],
    ["AIMessageChunk", new other.AIMessageChunk("x"), new messages.AIMessageChunk("x")],
    [
      "ToolMessage",
      new other.ToolMessage({ content: "x", tool_call_id: "c" }),
      new messages.ToolMessage({ content: "x", tool_call_id: "c" }),
    ],
    [
      "RemoveMessage",
      new other.RemoveMessage({ id: "1" }),
      new messages.RemoveMessage({ id: "1" }),
    ],
  ])("come back as this copy's: %s", (_, value, wanted) => {
    assertSame(serializer.loads(serializer.dumps([value])), [wanted]);
  });

  it("come back as this copy's: control objects and documents", async () => {
    const { Command, Overwrite, Send } = await import("@langchain/langgraph");
    const { DeltaSnapshot } = await import("@langchain/langgraph-checkpoint");
    const { Document } = await import("@langchain/core/documents");
    assertSame(
      serializer.loads(
        serializer.dumps([
          new langgraph.Send("n", { a: 1 }),
          new langgraph.Command({ update: { a: 1 } }),
          new langgraph.Overwrite(1),
          new checkpoint.DeltaSnapshot(1),
          new documents.Document({ pageContent: "x" }),
        ]),
      ),
      [
        new Send("n", { a: 1 }),
        new Command({ update: { a: 1 } }),
        new Overwrite(1),
        new DeltaSnapshot(1),
        new Document({ pageContent: "x" }),
      ],
    );
  });

  it("are refused when they are of a subclass", () => {
    class Greeting extends other.HumanMessage {}
    class Plan extends langgraph.Send {}
    expect(caught(() => serializer.dumps(new Greeting("x"))).code).toBe("unregistered_class");
    expect(caught(() => serializer.dumps(new Plan("x", {}))).code).toBe("unregistered_class");
  });
});
