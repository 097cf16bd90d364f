import { MemorySaver } from "@langchain/langgraph";
import { withAllowlist } from "@threadkeep/checkpointer-sqlite";
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  tool,
  ToolMessage,
} from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { persistence } from "../src/index.ts";

const config = { configurable: { thread_id: "1" } };

describe("persistence({ scan })", () => {
  it("names the middleware or tool that made what can't be stored, at its step", async () => {
    const maker = createMiddleware({
      name: "Maker",
      stateSchema: z.object({ plan: z.any().optional() }),
      beforeModel: () => ({ plan: { steps: [() => 1] } }),
    });
    const build = (middleware: readonly AgentMiddleware[]) => {
      const bad = tool(
        () =>
          new ToolMessage({
            content: "x",
            tool_call_id: "1",
            name: "bad",
            artifact: { handle: () => 1 },
          }),
        {
          name: "bad",
          description: "Bad.",
          schema: z.object({}),
        },
      );
      const model = fakeModel()
        .respondWithTools([{ name: "bad", args: {}, id: "1" }])
        .respond(new AIMessage("done"));
      return withAllowlist(
        createAgent({ model, tools: [bad], middleware, checkpointer: new MemorySaver() }),
      );
    };
    const scan = persistence({ scan: "throw" });
    await expect(build([scan, maker]).invoke({ messages: "go" }, config)).rejects.toMatchObject({
      path: "plan.steps[0]",
      source: "middleware Maker (before_model)",
    });
    await expect(
      build([scan]).invoke({ messages: "go" }, { configurable: { thread_id: "2" } }),
    ).rejects.toMatchObject({
      path: expect.stringContaining("artifact.handle"),
      source: expect.stringContaining("bad"),
    });
  });

  it("asks for a hardened agent when it is to scan", async () => {
    const agent = createAgent({
      model: fakeModel().respond(new AIMessage("hi")),
      tools: [],
      middleware: [persistence({ scan: "warn" })],
      checkpointer: new MemorySaver(),
    });
    await expect(agent.invoke({ messages: "go" }, config)).rejects.toThrow(/withAllowlist/);
    expect(() => persistence({ scan: "loud" as never })).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});
