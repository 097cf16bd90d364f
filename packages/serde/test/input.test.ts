import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { defineType, MsgpackSerializer } from "../src/index.ts";
import { cases } from "./cases/index.ts";
import { assertSame } from "./same.ts";

const serializer = new MsgpackSerializer();

describe("what is dumped", () => {
  it.each(cases)("is not changed: $name", ({ value }) => {
    const input = value();
    serializer.dumps(input);
    assertSame(input, value());
  });

  it("may be frozen all through", () => {
    const value = freeze({
      list: [1, { a: new Date(1) }],
      map: new Map([["a", { b: 1 }]]),
      message: new AIMessage({ content: "x", tool_calls: [{ name: "t", args: {}, id: "1" }] }),
      send: new Send("n", { a: 1 }),
      error: new Error("x"),
    });
    const loaded = serializer.loads(serializer.dumps(value)) as Record<string, object>;
    expect(Object.keys(loaded)).toStrictEqual(Object.keys(value as object));
    expect(Object.isFrozen(loaded.list)).toBe(false);
  });

  it("has each getter run once", () => {
    let calls = 0;
    const getter = { get: () => ++calls, enumerable: true, configurable: true };
    const targets = [
      {},
      [],
      new Error("x"),
      new HumanMessage("x"),
      new AIMessageChunk("x"),
      new Command({}),
      new Send("n", {}),
      Object.create(null) as object,
      JSON.parse('{"__proto__":1}') as object,
    ];
    targets.forEach((target, i) => {
      Object.defineProperty(target, Array.isArray(target) ? 0 : "extra", getter);
      serializer.dumps({ target, again: [target] });
      expect(calls).toBe(i + 1);
    });
    const message = new ToolMessage({ content: "x", tool_call_id: "c" });
    Object.defineProperty(message, "content", getter);
    serializer.dumps([message, message]);
    expect(calls).toBe(targets.length + 1);
  });

  it("has a class's dump run once", () => {
    class Money {
      amount = 1;
    }
    let calls = 0;
    const money = defineType({
      name: "Money",
      class: Money,
      dump: ({ amount }) => (calls++, { amount }),
      load: ({ amount }) => Object.assign(new Money(), { amount }),
    });
    const one = new Money();
    new MsgpackSerializer({ types: [money], verifyOnWrite: false }).dumps([one, { again: one }]);
    expect(calls).toBe(1);
  });

  it("may dump with the same serializer while it is dumped", () => {
    const value = {
      before: "x".repeat(100),
      get inner() {
        return serializer.dumps({ nested: new Map([[1, "y".repeat(5_000)]]) });
      },
      after: [1, 2, 3],
    };
    const loaded = serializer.loads(serializer.dumps(value)) as typeof value;
    expect(loaded.before).toBe(value.before);
    expect(loaded.after).toStrictEqual([1, 2, 3]);
    expect(serializer.loads(loaded.inner)).toStrictEqual({
      nested: new Map([[1, "y".repeat(5_000)]]),
    });
  });

  it("keeps of a view only its own bytes", () => {
    const buffer = Buffer.alloc(1_000_000, 7);
    const views = [
      buffer.subarray(10, 20),
      new Uint8Array(buffer.buffer, buffer.byteOffset + 8, 4),
      new Float32Array(buffer.buffer, 8, 2),
      new DataView(buffer.buffer, 1, 3),
    ];
    const bytes = serializer.dumps(views);
    expect(bytes.length).toBeLessThan(150);
    for (const view of serializer.loads(bytes) as ArrayBufferView[])
      expect(view.buffer.byteLength).toBe(view.byteLength);
  });

  it("may change once it is dumped", () => {
    const raw = new Uint8Array([1, 2, 3]);
    const bytes = serializer.dumps({ raw });
    raw.fill(9);
    expect(serializer.loads(bytes)).toStrictEqual({ raw: new Uint8Array([1, 2, 3]) });
  });
});

describe("what is loaded", () => {
  it("shares no memory with the payload", () => {
    const value = {
      bytes: new Uint8Array([1, 2]),
      buffer: Buffer.from([3]),
      floats: new Float64Array([4]),
      view: new DataView(new ArrayBuffer(1)),
      array: new ArrayBuffer(2),
    };
    const payload = serializer.dumps(value);
    const loaded = serializer.loads(payload) as typeof value;
    payload.fill(0xff);
    assertSame(loaded, value);
    const again = serializer.dumps(value);
    const mine = serializer.loads(again) as typeof value;
    mine.bytes.fill(0xee);
    mine.floats.fill(0);
    assertSame(serializer.loads(again), value);
  });

  it("does not change with the next dump", () => {
    const first = serializer.dumps({ a: "first".repeat(10) });
    const copy = first.slice();
    serializer.dumps({ b: "second".repeat(10) });
    expect(first).toStrictEqual(copy);
  });

  it("comes from any view of a larger buffer", () => {
    const bytes = serializer.dumps({ a: [1, "x", new Date(0)], b: new Uint8Array([1]) });
    const padded = Buffer.concat([Buffer.alloc(13, 0xc1), bytes, Buffer.alloc(5, 0xc1)]);
    for (const view of [
      padded.subarray(13, 13 + bytes.length),
      new Uint8Array(padded.buffer, padded.byteOffset + 13, bytes.length),
    ])
      assertSame(serializer.loads(view), { a: [1, "x", new Date(0)], b: new Uint8Array([1]) });
  });
});

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) freeze((value as Record<PropertyKey, unknown>)[key]);
  return value;
}
