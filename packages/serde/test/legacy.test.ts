import { HumanMessage, ToolMessage, ToolMessageChunk } from "@langchain/core/messages";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { describe, expect, it, vi } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { langchainCases } from "./cases/langchain.ts";
import { caught } from "./caught.ts";

const serializer = new MsgpackSerializer();
const stock = new JsonPlusSerializer();
const load = (value: unknown): unknown =>
  serializer.read("json", Buffer.from(JSON.stringify(value)));

describe("payloads of the stock serializer", () => {
  const messages = langchainCases.filter(
    ({ name }) =>
      /Message|DeltaSnapshot|conversation/.test(name) && !/reference to itself/.test(name),
  );

  it.each(messages)("load as it loads them: $name", async ({ value }) => {
    const [tag, bytes] = await stock.dumpsTyped(value());
    expect(serializer.read(tag, bytes)).toStrictEqual(await stock.loadsTyped(tag, bytes));
  });

  it("load with a field that it loses", async () => {
    const [tag, bytes] = await stock.dumpsTyped(
      new ToolMessageChunk({ content: "c", tool_call_id: "1" }),
    );
    expect((serializer.read(tag, bytes) as ToolMessageChunk).tool_call_id).toBe("1");
  });

  it.each<[string, unknown]>([
    ["plain", { a: [1, "x", null, { b: true }] }],
    ["undefined", { a: undefined, b: [undefined] }],
    ["Set", { s: new Set([1, "a", [2]]) }],
    [
      "Map",
      {
        m: new Map<unknown, unknown>([
          ["a", 1],
          [2, { b: new Set([1]) }],
        ]),
      },
    ],
    ["RegExp", { r: /a+/gi }],
    ["Error", { e: new Error("why") }],
    ["bytes", { b: new Uint8Array([1, 2, 255]) }],
    ["top-level bytes", new Uint8Array([1, 2])],
    ["null", null],
    ["number", 5],
    ["text", "x"],
    [
      "messages in a record",
      {
        messages: [
          new HumanMessage("x"),
          new ToolMessage({ content: "y", tool_call_id: "c", artifact: { u: undefined } }),
        ],
      },
    ],
  ])("hold what it keeps: %s", async (_, value) => {
    const [tag, bytes] = await stock.dumpsTyped(value);
    expect(serializer.read(tag, bytes)).toStrictEqual(value);
    expect(await serializer.loadsTyped(tag, Buffer.from(bytes).toString("utf8"))).toBeDefined();
  });

  it("keep a key named __proto__ as data", () => {
    const loaded = serializer.read("json", Buffer.from('{"a":{"__proto__":{"x":1}}}')) as {
      a: object;
    };
    expect(Object.keys(loaded.a)).toStrictEqual(["__proto__"]);
    expect(Object.getPrototypeOf(loaded.a)).toBe(Object.prototype);
  });
});

describe("envelopes that are not of the closed set stay data", () => {
  const lc1 = (...id: unknown[]): object => ({
    lc: 1,
    type: "constructor",
    id,
    kwargs: { content: "x" },
  });
  const lc2 = (id: unknown, args: unknown, method?: unknown): object => ({
    lc: 2,
    type: "constructor",
    id,
    args,
    method: method ?? null,
  });

  it.each<[string, unknown]>([
    ["another class of LangChain", lc1("langchain_core", "prompts", "PromptTemplate")],
    ["a name of Object's", lc1("langchain_core", "messages", "constructor")],
    ["a name that is no text", lc1("langchain_core", "messages", 5)],
    ["another package", lc1("acme", "messages", "HumanMessage")],
    ["a class of the user's", lc1("app", "models", "Money")],
    [
      "no keyword arguments",
      { lc: 1, type: "constructor", id: ["langchain_core", "messages", "HumanMessage"], kwargs: 5 },
    ],
    ["not implemented", { lc: 1, type: "not_implemented", id: ["X"] }],
    ["any global", lc2(["Function"], ["return 1"])],
    ["a method of a class", lc2(["Set"], [[1]], "from")],
    ["a method of an array", lc2(["Array"], [[1]], "from")],
    ["Uint8Array of no bytes", lc2(["Uint8Array"], [[256, -1]], "from")],
    ["Map of no pairs", lc2(["Map"], [[1]])],
    ["RegExp that does not parse", lc2(["RegExp"], ["(", ""])],
    ["a path of names", lc2(["global", "process", "exit"], [1])],
    ["an unknown type", { lc: 2, type: "symbol" }],
    ["Python's class", lc2(["decimal", "Decimal"], ["1.5"])],
  ])("%s", (_, value) => {
    const data = JSON.parse(JSON.stringify(value)) as unknown;
    expect(load({ deep: [value] })).toStrictEqual({ deep: [data] });
  });

  it("a secret, and the environment is not read", () => {
    const read = vi.fn<() => string>(() => "SECRET");
    const env = process.env;
    process.env = new Proxy(env, { get: read });
    try {
      const secret = { lc: 1, type: "secret", id: ["PATH"] };
      expect(load({ a: secret })).toStrictEqual({ a: secret });
    } finally {
      process.env = env;
    }
    expect(read).not.toHaveBeenCalled();
  });

  it("data inside of a message that LangChain marked as data", async () => {
    const shape = {
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", "HumanMessage"],
      kwargs: { content: "forged" },
    };
    const message = new HumanMessage({ content: "x", additional_kwargs: { shape } as never });
    const json = JSON.parse(JSON.stringify(message)) as unknown;
    expect((load(json) as HumanMessage).additional_kwargs).toStrictEqual({ shape });
  });
});

describe("JSON of old versions", () => {
  it("has messages under other names", () => {
    for (const id of [
      ["langchain", "schema", "HumanMessage"],
      ["langchain_core", "messages", "HumanMessage"],
      ["langchain", "schema", "messages", "HumanMessage"],
      ["langchain_core", "messages", "human", "HumanMessage"],
    ]) {
      const loaded = load({ lc: 1, type: "constructor", id, kwargs: { content: "x" } });
      expect(loaded).toStrictEqual(new HumanMessage({ content: "x" }));
    }
  });

  it("of Python has sets, datetimes and null for what is not set", () => {
    expect(
      load({
        lc: 2,
        type: "constructor",
        id: ["builtins", "set"],
        method: [null, null],
        args: [[1, 2]],
      }),
    ).toMatchObject({ lc: 2 });
    expect(
      load({ lc: 2, type: "constructor", id: ["builtins", "set"], method: null, args: [[1, 2]] }),
    ).toStrictEqual(new Set([1, 2]));
    expect(
      load({
        lc: 2,
        type: "constructor",
        id: ["datetime", "datetime"],
        method: "fromisoformat",
        args: ["2024-01-02T03:04:05.678000+00:00"],
      }),
    ).toStrictEqual(new Date("2024-01-02T03:04:05.678Z"));
    const message = load({
      lc: 1,
      type: "constructor",
      id: ["langchain", "schema", "messages", "AIMessage"],
      kwargs: { content: "x", name: null, type: "ai", tool_calls: [] },
    });
    expect(message).toMatchObject({ content: "x", name: undefined });
  });
});

describe("bad JSON", () => {
  it.each(["{", "[1,]", "nul", "\u0001", '"\\ud8"', "1 2"])("is malformed: %j", (text) => {
    expect(caught(() => serializer.read("json", text)).code).toBe("malformed_payload");
  });

  it("of bytes that are no UTF-8 is malformed", () => {
    expect(caught(() => serializer.read("json", Uint8Array.of(0x22, 0xff, 0x22))).code).toBe(
      "malformed_payload",
    );
  });

  it("under a tag of MessagePack is malformed", () => {
    expect(caught(() => serializer.read("msgpack", "{}")).code).toBe("malformed_payload");
  });

  it("nested too deep, or with too many numbers as keys, is refused", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(caught(() => serializer.read("json", deep)).code).toBe("limit_exceeded");
    const numbers = Array.from({ length: 20_000 }, (_, i) => i);
    const set = { lc: 2, type: "constructor", id: ["Set"], args: [numbers] };
    expect(load(set)).toStrictEqual(set);
  });
});

describe("payloads of Python's serializer by tag", () => {
  it.each<[string, Uint8Array, unknown]>([
    ["null", new Uint8Array(0), null],
    ["json", new Uint8Array(0), null],
    ["msgpack", new Uint8Array(0), null],
    ["bytes", new Uint8Array(0), new Uint8Array(0)],
    ["bytearray", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ["bytes", new Uint8Array([0x93]), new Uint8Array([0x93])],
  ])("%s of %j", async (tag, bytes, value) => {
    expect(await serializer.loadsTyped(tag, bytes)).toStrictEqual(value);
  });

  it("with a tag that is not known are refused", async () => {
    await expect(serializer.loadsTyped("pickle", new Uint8Array([1]))).rejects.toMatchObject({
      code: "unknown_tag",
    });
    await expect(serializer.loadsTyped("toString", new Uint8Array([1]))).rejects.toMatchObject({
      code: "unknown_tag",
    });
  });

  it("do not share memory with what is loaded", () => {
    const bytes = new Uint8Array([1, 2]);
    const loaded = serializer.read("bytes", bytes) as Uint8Array;
    bytes.fill(9);
    expect(loaded).toStrictEqual(new Uint8Array([1, 2]));
  });
});
