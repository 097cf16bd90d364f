import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  emptyCheckpoint,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { cases } from "./cases/index.ts";
import { refusals } from "./cases/refusals.ts";
import { assertSame } from "./same.ts";

/** LangGraph's own saver: it keeps payloads without their tag and reads all of them as `json`. */
function saver(): MemorySaver {
  return new MemorySaver(new MsgpackSerializer());
}

const config = { configurable: { thread_id: "t", checkpoint_ns: "" } };
const metadata = { source: "loop", step: 1, parents: {} } as const;

describe("a checkpoint in MemorySaver", () => {
  it.each(cases.filter(({ large }) => large !== true))("holds $name", async ({ value }) => {
    const memory = saver();
    const checkpoint = { ...emptyCheckpoint(), channel_values: { v: value() } };
    const stored = await memory.put(config, checkpoint, metadata);
    await memory.putWrites(
      stored,
      [
        ["v", value()],
        ["small", 5],
      ],
      "task",
    );
    const tuple = await memory.getTuple(stored);
    assertSame(tuple?.checkpoint.channel_values.v, value());
    assertSame(tuple?.pendingWrites?.find(([, channel]) => channel === "v")?.[2], value());
    expect(tuple?.pendingWrites?.find(([, channel]) => channel === "small")?.[2]).toBe(5);
    expect(tuple?.metadata).toStrictEqual(metadata);
  });
});

describe("a graph over MemorySaver", () => {
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    value: Annotation<unknown>(),
    kept: Annotation<string>(),
  });

  function build(value: () => unknown) {
    return new StateGraph(State)
      .addNode("first", () => ({ kept: "kept" }))
      .addNode("second", () => ({ value: value() }))
      .addNode("ask", () => ({
        messages: [new HumanMessage(String(interrupt({ at: new Date(1) })))],
      }))
      .addNode("work", ({ value }) => ({
        messages: [new ToolMessage({ content: "x", tool_call_id: "c", artifact: { value } })],
      }))
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", "ask")
      .addConditionalEdges("ask", (state) => [new Send("work", state)], ["work"])
      .addEdge("work", END)
      .compile({ checkpointer: saver() });
  }

  it("goes on after an interrupt with what it had", async () => {
    const value = (): unknown => ({ m: new Map([["a", 1n]]), at: new Date(5), u: undefined });
    const graph = build(value);
    const stopped = await graph.invoke({}, config);
    expect(
      (stopped as unknown as { __interrupt__: { value: unknown }[] }).__interrupt__[0]?.value,
    ).toStrictEqual({ at: new Date(1) });
    const done = await graph.invoke(new Command({ resume: "yes" }), config);
    assertSame(done.value, value());
    assertSame((done.messages[1] as ToolMessage).artifact, { value: value() });
    expect(done.messages[0]?.content).toBe("yes");
  });

  it.each(refusals.slice(0, 12))(
    "fails at a $name and keeps what was stored",
    async ({ value }) => {
      const graph = build(value);
      await expect(graph.invoke({}, config)).rejects.toMatchObject({ name: "SerdeError" });
      expect((await graph.getState(config)).values).toMatchObject({ kept: "kept" });
    },
  );
});

describe("payloads without their tag", () => {
  const serializer = new MsgpackSerializer();

  it.each([0, 1, 5, 48, 91, 123, 127, 128, 255, -1, -32, null, true, false, "", [], {}])(
    "say themselves what they are: %j",
    async (value) => {
      const [, bytes] = await serializer.dumpsTyped(value);
      expect(await serializer.loadsTyped("json", bytes)).toStrictEqual(value);
    },
  );

  it("are null when they are empty", async () => {
    expect(await serializer.loadsTyped("json", new Uint8Array(0))).toBeNull();
    expect(await serializer.loadsTyped("json", "")).toBeNull();
  });
});
