import assert from "node:assert/strict";
import { Document } from "@langchain/core/documents";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import type { BatteryCase } from "./survive.ts";

function same(got: BaseMessage, stored: BaseMessage): void {
  assert.equal(got.constructor, stored.constructor);
  assert.equal(got.getType(), stored.getType());
  assert.deepStrictEqual(got.toDict(), stored.toDict());
}

/** What LangChain and LangGraph have of their own. */
export const MESSAGES: readonly BatteryCase[] = [
  { name: "human message", value: () => new HumanMessage({ content: "hi", id: "1" }), check: same },
  { name: "system message", value: () => new SystemMessage("be kind"), check: same },
  {
    name: "ai message",
    value: () =>
      new AIMessage({
        content: "hi",
        id: "1",
        tool_calls: [{ name: "t", args: { q: 1 }, id: "c", type: "tool_call" }],
        usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      } as never),
    check: same,
  },
  {
    name: "chunk of an ai message",
    value: () =>
      new AIMessageChunk({
        content: "h",
        tool_call_chunks: [
          { name: "t", args: '{"q":', id: "c", index: 0, type: "tool_call_chunk" },
        ],
      } as never),
    check: same,
  },
  {
    name: "content in blocks",
    value: () =>
      new HumanMessage({
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        ],
      }),
    check: same,
  },
  {
    name: "tool artifact with rich values",
    value: () =>
      new ToolMessage({
        content: "x",
        tool_call_id: "c",
        artifact: { at: new Date(7), rows: new Map([["a", 1n]]), raw: new Uint8Array([9]) },
      }),
    check: (got: ToolMessage, stored: ToolMessage) => {
      assert.equal(got.tool_call_id, "c");
      assert.deepStrictEqual(got.artifact, stored.artifact);
    },
  },
  {
    name: "rich values beside a message's text",
    value: () => new AIMessage({ content: "x", response_metadata: { at: new Date(7), n: 1n } }),
    check: (got: AIMessage, stored: AIMessage) =>
      assert.deepStrictEqual(got.response_metadata, stored.response_metadata),
  },
  {
    name: "chat message with a role",
    value: () => new ChatMessage({ content: "x", role: "critic" }),
    check: same,
  },
  { name: "removal of a message", value: () => new RemoveMessage({ id: "1" }), check: same },
  {
    name: "document",
    value: () => new Document({ pageContent: "text", metadata: { at: new Date(1) }, id: "d" }),
  },
  {
    name: "metadata that two messages share",
    value: () => {
      const response_metadata = { model: "m" };
      return [0, 1].map((n) => new AIMessage({ content: `${n}`, response_metadata }));
    },
    check: (got: AIMessage[]) => assert.equal(got[0]?.response_metadata, got[1]?.response_metadata),
  },
  {
    name: "Send",
    value: () => [new Send("node", { at: new Date(1), ids: new Set([1]) })],
    check: ([got]: Send[], [stored]: Send[]) => {
      assert.equal(got?.constructor, Send);
      assert.equal(got?.node, "node");
      assert.deepStrictEqual(got?.args, stored?.args);
    },
  },
];
