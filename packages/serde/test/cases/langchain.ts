import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageFields,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import type { Case } from "./case.ts";

/** Messages, documents and LangGraph's own objects. */
export const langchainCases: Case[] = [
  { name: "HumanMessage", value: () => new HumanMessage("hi"), tag: "msgpack" },
  {
    name: "HumanMessage with id and name",
    value: () => new HumanMessage({ content: "hi", id: "1", name: "ann" }),
    tag: "msgpack",
  },
  {
    name: "HumanMessage with content blocks",
    value: () =>
      new HumanMessage({
        content: [
          { type: "text", text: "x" },
          { type: "image_url", image_url: { url: "data:," } },
        ],
      }),
    tag: "msgpack",
  },
  {
    name: "HumanMessage of v1 content blocks",
    value: () => new HumanMessage({ contentBlocks: [{ type: "text", text: "x" }] }),
  },
  { name: "HumanMessage with empty content", value: () => new HumanMessage("") },
  {
    name: "HumanMessage without content",
    value: () => new HumanMessage({ content: undefined as never }),
  },
  {
    name: "SystemMessage",
    value: () => new SystemMessage({ content: "be brief", additional_kwargs: { a: 1 } }),
    tag: "msgpack",
  },
  {
    name: "AIMessage",
    value: () =>
      new AIMessage({
        content: "hi",
        id: "1",
        tool_calls: [{ name: "t", args: { q: 1 }, id: "c", type: "tool_call" }],
        usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      } as unknown as AIMessageFields),
    tag: "msgpack",
  },
  { name: "AIMessage of text", value: () => new AIMessage("hi"), tag: "msgpack" },
  {
    name: "AIMessage with an invalid tool call",
    value: () =>
      new AIMessage({
        content: "",
        invalid_tool_calls: [
          { name: "t", args: "{", id: "c", error: "bad", type: "invalid_tool_call" },
        ],
      }),
  },
  {
    name: "AIMessage whose tool calls were parsed",
    value: () =>
      new AIMessage({
        content: "",
        additional_kwargs: {
          tool_calls: [
            { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          ],
        },
      }),
  },
  {
    name: "AIMessage with response metadata",
    value: () =>
      new AIMessage({
        content: "x",
        response_metadata: { model_name: "m", logprobs: null, at: new Date(5) },
      }),
  },
  {
    name: "AIMessage of v1",
    value: () =>
      new AIMessage({
        content: [{ type: "text", text: "x" }],
        response_metadata: { output_version: "v1" },
      }),
  },
  {
    name: "AIMessage of v1 content blocks and tool calls",
    value: () =>
      new AIMessage({
        contentBlocks: [
          { type: "text", text: "x" },
          { type: "tool_call", id: "c", name: "t", args: { a: 1 } },
        ],
      }),
    why: "it fills its tool calls from the blocks",
  },
  {
    name: "AIMessage with reasoning and usage details",
    value: () =>
      new AIMessage({
        content: [{ type: "reasoning", reasoning: "because" }],
        usage_metadata: {
          input_tokens: 1,
          output_tokens: 2,
          total_tokens: 3,
          input_token_details: { cache_read: 1 },
          output_token_details: { reasoning: 0 },
        },
      } as unknown as AIMessageFields),
  },
  {
    name: "tool call args 60 levels deep",
    value: () =>
      new AIMessage({
        content: "",
        tool_calls: [
          { name: "t", args: deep(60) as Record<string, unknown>, id: "c", type: "tool_call" },
        ],
      }),
  },
  {
    name: "tool call args with __proto__",
    value: () =>
      new AIMessage({
        content: "",
        tool_calls: [
          {
            name: "t",
            args: JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>,
            id: "c",
            type: "tool_call",
          },
        ],
      }),
  },
  {
    name: "AIMessageChunk",
    value: () =>
      new AIMessageChunk({
        content: "x",
        tool_call_chunks: [{ name: "t", args: "{", index: 0, id: "c", type: "tool_call_chunk" }],
      }),
    why: "its tool calls are lazy getters",
  },
  { name: "AIMessageChunk without tool calls", value: () => new AIMessageChunk("x") },
  {
    name: "AIMessageChunk joined",
    value: () =>
      new AIMessageChunk({ content: "a", id: "1" }).concat(new AIMessageChunk({ content: "b" })),
  },
  {
    name: "ToolMessage",
    value: () => new ToolMessage({ content: "x", tool_call_id: "c", name: "t", status: "success" }),
    tag: "msgpack",
  },
  {
    name: "ToolMessage with a failed status",
    value: () =>
      new ToolMessage({ content: "x", tool_call_id: "c", status: "error", metadata: { a: 1 } }),
  },
  {
    name: "ToolMessage with rich artifact",
    value: () =>
      new ToolMessage({
        content: "x",
        tool_call_id: "c",
        artifact: { at: new Date(7), rows: new Map([["a", 1n]]), raw: new Uint8Array([9]) },
      }),
  },
  {
    name: "ToolMessage with null artifact",
    value: () => new ToolMessage({ content: "x", tool_call_id: "c", artifact: null }),
    why: "null is not the same as not set",
  },
  {
    name: "ToolMessage with an error as artifact",
    value: () =>
      new ToolMessage({
        content: "x",
        tool_call_id: "c",
        artifact: new RangeError("why", { cause: { deep: 1 } }),
      }),
  },
  {
    name: "FunctionMessage",
    value: () => new FunctionMessage({ content: "x", name: "f" }),
    tag: "msgpack",
  },
  {
    name: "ChatMessage",
    value: () => new ChatMessage({ content: "x", role: "critic" }),
    tag: "msgpack",
  },
  { name: "RemoveMessage", value: () => new RemoveMessage({ id: "1" }), tag: "msgpack" },
  {
    name: "every chunk",
    value: () => [
      new HumanMessageChunk("a"),
      new SystemMessageChunk("b"),
      new ToolMessageChunk({ content: "c", tool_call_id: "1" }),
      new FunctionMessageChunk({ content: "d", name: "f" }),
      new ChatMessageChunk({ content: "e", role: "r" }),
    ],
    tag: "msgpack",
  },
  {
    name: "rich values in additional_kwargs",
    value: () =>
      new HumanMessage({
        content: "x",
        additional_kwargs: { m: new Map([[1, 2]]), u: undefined, n: null, b: 5n } as never,
      }),
  },
  {
    name: "null and undefined among a message's fields",
    value: () => new AIMessage({ content: "x", name: undefined as never, id: null as never }),
  },
  {
    name: "message with a field of its own",
    value: () => Object.assign(new HumanMessage("x"), { score: 0.5, seen: new Date(1) }),
  },
  {
    name: "message with a field that its class does not copy",
    value: () => new HumanMessage({ content: "x", extra: { a: 1 } } as never),
  },
  {
    name: "message with another namespace",
    value: () => Object.assign(new HumanMessage("x"), { lc_namespace: ["acme"] }),
  },
  {
    name: "message with a reference to itself",
    value: () => {
      const message = new HumanMessage({ content: "x", additional_kwargs: {} });
      message.additional_kwargs.self = message;
      return message;
    },
  },
  {
    name: "two messages that share their kwargs",
    value: () => {
      const additional_kwargs = { a: 1 };
      return [
        new HumanMessage({ content: "x", additional_kwargs }),
        new AIMessage({ content: "y", additional_kwargs }),
      ];
    },
  },
  {
    name: "conversation",
    value: () => ({
      messages: [
        new SystemMessage("s"),
        new HumanMessage("h"),
        new AIMessage("a"),
        new ToolMessage({ content: "t", tool_call_id: "c" }),
      ],
    }),
    tag: "msgpack",
  },

  {
    name: "Document",
    value: () => new Document({ pageContent: "x", metadata: { a: 1 } }),
    tag: "msgpack",
  },
  {
    name: "Document with id",
    value: () => new Document({ pageContent: "x", id: "d1" }),
    tag: "msgpack",
  },
  {
    name: "Document with rich metadata",
    value: () =>
      new Document({
        pageContent: "",
        metadata: { at: new Date(1), score: new Float32Array([1]) },
      }),
  },

  { name: "Send", value: () => new Send("tools", { a: 1 }), tag: "msgpack" },
  { name: "Send with undefined args", value: () => new Send("tools", undefined) },
  {
    name: "Send with timeout",
    value: () => new Send("tools", { a: 1 }, { timeout: { idleTimeout: 5_000, runTimeout: 100 } }),
    tag: "msgpack",
  },
  {
    name: "Send with a timeout of one kind",
    value: () => new Send("tools", null, { timeout: 1 }),
    tag: "msgpack",
  },
  {
    name: "Send with a timeout that is no whole millisecond",
    value: () => new Send("tools", null, { timeout: 0.1 + 0.2 }),
  },
  {
    name: "Send with a later field",
    value: () => Object.assign(new Send("tools", { a: 1 }), { priority: 3 }),
  },
  {
    name: "Send with args shaped as a Send",
    value: () => {
      const send = new Send("a", {});
      send.args = { node: "b", args: { c: { node: "d", args: [] } } };
      return send;
    },
    why: "its constructor would make Sends of them",
  },
  {
    name: "Send with messages",
    value: () => new Send("tools", { messages: [new HumanMessage("x")], at: new Date(5) }),
    tag: "msgpack",
  },
  {
    name: "Command with update and goto",
    value: () => new Command({ update: { a: new Date(1) }, goto: "next" }),
    tag: "msgpack",
  },
  {
    name: "Command with Sends",
    value: () => new Command({ goto: [new Send("a", { x: 1n }), "b"] }),
  },
  {
    name: "Command to the parent",
    value: () => new Command({ graph: Command.PARENT, goto: "x" }),
    tag: "msgpack",
  },
  { name: "Command that resumes with null", value: () => new Command({ resume: null }) },
  { name: "Command that resumes with false", value: () => new Command({ resume: false }) },
  { name: "Command that resumes with zero", value: () => new Command({ resume: 0 }) },
  { name: "Command that resumes with an empty text", value: () => new Command({ resume: "" }) },
  {
    name: "Command that resumes with a Map",
    value: () => new Command({ resume: new Map([["a", 1]]) }),
  },
  {
    name: "Command with update in pairs",
    value: () =>
      new Command({
        update: [
          ["a", 1],
          ["b", [2]],
        ] as never,
      }),
  },
  { name: "Command without anything", value: () => new Command({}) },
  { name: "Overwrite", value: () => new Overwrite([1, new Date(1)]), tag: "msgpack" },
  { name: "Overwrite with undefined", value: () => new Overwrite(undefined) },
  {
    name: "DeltaSnapshot",
    value: () => new DeltaSnapshot([new HumanMessage("x"), 1]),
    tag: "msgpack",
  },
  { name: "DeltaSnapshot of undefined", value: () => new DeltaSnapshot(undefined) },
  {
    name: "interrupt",
    value: () => ({ __interrupt__: [{ id: "i1", value: { question: "ok?", at: new Date(1) } }] }),
    tag: "msgpack",
  },
];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { down: value };
  return value;
}
