import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";

/** A value that JavaScript and Python both have, and the expression that gives it there. */
export interface SharedCase {
  readonly name: string;
  readonly value: () => unknown;
  /** Undefined when only JavaScript has it: Python has to raise. */
  readonly python?: string;
}

export const sharedCases: SharedCase[] = [
  { name: "null", value: () => null, python: "None" },
  {
    name: "scalars",
    value: () => [
      true,
      false,
      0,
      -1,
      127,
      128,
      255,
      65_536,
      2 ** 40,
      -(2 ** 40),
      1.5,
      "x",
      "é数🚀",
      "",
    ],
    python: '[True, False, 0, -1, 127, 128, 255, 65536, 2**40, -(2**40), 1.5, "x", "é数🚀", ""]',
  },
  {
    name: "floats",
    value: () => [0.1, -0, Infinity, -Infinity, 1e300, 5e-324],
    python: '[0.1, -0.0, float("inf"), float("-inf"), 1e300, 5e-324]',
  },
  {
    name: "BigInts",
    value: () => [1n, -5n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n)],
    python: "[1, -5, 2**53, 2**63, 2**64 - 1, -(2**63)]",
  },
  { name: "top-level integer", value: () => 5, python: "5" },
  {
    name: "record",
    value: () => ({ a: [1, { b: null }], "": {}, "1": 2 }),
    python: '{"1": 2, "a": [1, {"b": None}], "": {}}',
  },
  {
    name: "own __proto__ key",
    value: () => JSON.parse('{"__proto__":{"x":1}}'),
    python: '{"__proto__": {"x": 1}}',
  },
  {
    name: "large containers",
    value: () => ({ list: Array.from({ length: 300 }, () => 1), text: "x".repeat(300) }),
    python: '{"list": [1] * 300, "text": "x" * 300}',
  },
  { name: "bytes", value: () => [new Uint8Array([0, 255])], python: '[b"\\x00\\xff"]' },
  {
    name: "Date",
    value: () => new Date(1_700_000_000_123),
    python: "dt.datetime(2023, 11, 14, 22, 13, 20, 123000, tzinfo=UTC)",
  },
  {
    name: "Dates at the ends of Python's years",
    value: () => [new Date(-62_135_596_800_000), new Date(253_402_300_799_999), new Date(0)],
    python:
      "[dt.datetime(1, 1, 1, tzinfo=UTC), dt.datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC), dt.datetime(1970, 1, 1, tzinfo=UTC)]",
  },
  {
    name: "Map of integers",
    value: () =>
      new Map([
        [1, "x"],
        [2, "y"],
      ]),
    python: '{1: "x", 2: "y"}',
  },
  {
    name: "Map of mixed keys",
    value: () =>
      new Map<unknown, unknown>([
        ["a", 1],
        [2, 2],
        [null, 3],
        [1.5, 4],
        [[1, "b"], 5],
      ]),
    python: '{"a": 1, 2: 2, None: 3, 1.5: 4, (1, "b"): 5}',
  },
  {
    name: "Set",
    value: () => new Set<unknown>([1, "a", null, new Date(0)]),
    python: '{1, "a", None, dt.datetime(1970, 1, 1, tzinfo=UTC)}',
  },
  { name: "empty Set", value: () => new Set(), python: "set()" },
  { name: "RegExp", value: () => /a.b/ims, python: 're.compile("a.b", re.I | re.M | re.S)' },
  {
    name: "typed arrays",
    value: () => [
      new Float32Array([0.5, -2]),
      new Int16Array([-3]),
      new BigUint64Array([7n]),
      new Float64Array(0),
    ],
    python:
      '[np.array([0.5, -2], "<f4"), np.array([-3], "<i2"), np.array([7], "<u8"), np.zeros(0, "<f8")]',
  },
  {
    name: "HumanMessage",
    value: () => new HumanMessage({ content: "hi", id: "1", name: "ann" }),
    python: 'HumanMessage("hi", id="1", name="ann")',
  },
  {
    name: "HumanMessage of blocks",
    value: () => new HumanMessage({ contentBlocks: [{ type: "text", text: "x" }] }),
    python:
      'HumanMessage([{"type": "text", "text": "x"}], response_metadata={"output_version": "v1"}, contentBlocks=None)',
  },
  { name: "SystemMessage", value: () => new SystemMessage("s"), python: 'SystemMessage("s")' },
  {
    name: "AIMessage",
    value: () =>
      new AIMessage({
        content: "hi",
        tool_calls: [{ name: "t", args: { q: 1 }, id: "c", type: "tool_call" }],
        response_metadata: { m: 1 },
        additional_kwargs: { k: [1] },
      }),
    python:
      'AIMessage("hi", tool_calls=[{"name": "t", "args": {"q": 1}, "id": "c", "type": "tool_call"}], response_metadata={"m": 1}, additional_kwargs={"k": [1]})',
  },
  { name: "AIMessageChunk", value: () => new AIMessageChunk("x"), python: 'AIMessageChunk("x")' },
  {
    name: "ToolMessage",
    value: () =>
      new ToolMessage({
        content: "x",
        tool_call_id: "c",
        artifact: { at: new Date(0) },
        status: "error",
      }),
    python:
      'ToolMessage("x", tool_call_id="c", artifact={"at": dt.datetime(1970, 1, 1, tzinfo=UTC)}, status="error")',
  },
  {
    name: "FunctionMessage",
    value: () => new FunctionMessage({ content: "x", name: "f" }),
    python: 'FunctionMessage("x", name="f")',
  },
  {
    name: "ChatMessage",
    value: () => new ChatMessage({ content: "x", role: "r" }),
    python: 'ChatMessage("x", role="r")',
  },
  {
    name: "RemoveMessage",
    value: () => new RemoveMessage({ id: "1" }),
    python: 'RemoveMessage(id="1")',
  },
  {
    name: "Document",
    value: () => new Document({ pageContent: "x", metadata: { a: 1 }, id: "d" }),
    python: 'Document("x", metadata={"a": 1}, id="d")',
  },
  { name: "Send", value: () => new Send("n", { a: [1] }), python: 'Send("n", {"a": [1]})' },
  {
    name: "Send with timeout",
    value: () => new Send("n", null, { timeout: { idleTimeout: 5_000, runTimeout: 100 } }),
    python: 'Send("n", None, timeout=TimeoutPolicy(run_timeout=0.1, idle_timeout=5.0))',
  },
  {
    name: "Command",
    value: () => new Command({ update: { a: 1 }, goto: ["b", new Send("c", {})] }),
    python: 'Command(update={"a": 1}, goto=["b", Send("c", {})])',
  },
  { name: "Overwrite", value: () => new Overwrite([1]), python: "Overwrite([1])" },
  { name: "DeltaSnapshot", value: () => new DeltaSnapshot([1]), python: "DeltaSnapshot([1])" },
  {
    name: "state",
    value: () => ({
      messages: [new HumanMessage("a"), new AIMessage("b")],
      at: new Date(0),
      seen: new Set([1]),
      byId: new Map([[1, { x: 1 }]]),
    }),
    python:
      '{"messages": [HumanMessage("a"), AIMessage("b")], "at": dt.datetime(1970, 1, 1, tzinfo=UTC), "seen": {1}, "byId": {1: {"x": 1}}}',
  },

  { name: "undefined", value: () => ({ a: undefined }) },
  { name: "BigInt beyond 64 bits", value: () => 2n ** 64n },
  { name: "Map of text", value: () => new Map([["a", 1]]) },
  {
    name: "Map of keys that Python takes for one",
    value: () =>
      new Map<unknown, unknown>([
        [1, 1],
        [true, 2],
      ]),
  },
  { name: "Error", value: () => new Error("x") },
  { name: "URL", value: () => new URL("https://example.com") },
  {
    name: "cycle",
    value: () => {
      const list: unknown[] = [];
      list.push(list);
      return list;
    },
  },
  { name: "ill-formed text", value: () => "\uD800" },
  {
    name: "null in a message",
    value: () => new ToolMessage({ content: "x", tool_call_id: "c", artifact: null }),
  },
];
