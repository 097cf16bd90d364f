import { END, START } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { SqliteSaver, withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseCompiled } from "../loose-graph.ts";
import { config, expectClean, State, types } from "./hardened.ts";
import { makeAgent, type TestAgent } from "./live-agent.ts";
import { sqliteFile, type Storage } from "./storages.ts";

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

describe("a hardened agent", () => {
  const agents: Record<string, (saver: object) => TestAgent> = {
    "with its saver": (saver) => withAllowlist(makeAgent(saver), { types }),
    "with a saver that is given later": (saver) => {
      const agent = withAllowlist(makeAgent(), { types });
      agent.checkpointer = saver;
      return agent;
    },
    "as a copy": (saver) => withAllowlist(makeAgent(saver), { types }).withConfig({ tags: ["a"] }),
    "as a copy of a copy": (saver) =>
      withAllowlist(makeAgent(saver), { types })
        .withConfig({ tags: ["a"] })
        .withConfig({ tags: ["b"] }),
  };

  it.each(Object.entries(agents))("keeps live objects out (%s)", async (_name, make) => {
    const agent = make(storage.open());
    const { messages } = await agent.invoke({ messages: "go" }, config);
    expect(messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
      "called ran",
      "called ran",
    ]);
    expectClean(storage, "called ran");
  });

  it("keeps private fields out of Sends, also as a part of another graph", async () => {
    const saver = storage.open() as SqliteSaver;
    const sent: string[] = [];
    const watched = new Proxy(saver, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (key === "put" || key === "putWrites") sent.push(sends(key, args[1]));
          const result = (value as (...args: unknown[]) => unknown).apply(target, args);
          return result === target ? watched : result;
        };
      },
    });
    const agent = makeAgent();
    const graph = withAllowlist(
      looseGraph(State)
        .addNode("agent", agent.graph)
        .addEdge(START, "agent")
        .addEdge("agent", END)
        .compile({ checkpointer: watched }) as LooseCompiled & object,
    );
    await graph.invoke({ messages: ["go"] }, config);
    expect(sent.join("")).toContain("lg_tool_call");
    expect(sent.join("")).not.toContain("private-of-the-agent");
    expectClean(storage, "private-of-the-agent");
  });

  it("does not take messages for live objects, nor what they share with the response", async () => {
    const middleware = createMiddleware({
      name: "Last",
      stateSchema: z.object({ last: untracked<unknown>() }),
      afterModel: ({ messages }) => ({ last: messages.at(-1) }),
    });
    const args = { answer: "structured-answer" };
    const agent = withAllowlist(
      createAgent({
        model: fakeModel().respondWithTools([{ name: "extract-1", args }]),
        tools: [],
        middleware: [middleware],
        responseFormat: {
          type: "object",
          title: "extract-1",
          properties: { answer: { type: "string" } },
        } as never,
        checkpointer: storage.open() as never,
      }),
    );
    await agent.invoke({ messages: "go" }, config);
    const { values } = await agent.graph.getState(config);
    const messages = values.messages as { tool_calls?: { args: unknown }[] }[];
    expect(messages.every((message) => typeof message === "object")).toBe(true);
    expect(messages[1]?.tool_calls?.[0]?.args).toEqual(args);
  });
});

/** The Sends in a saver's call, as text. */
function sends(method: string, value: unknown): string {
  const found =
    method === "put"
      ? (value as { channel_values: Record<string, unknown> }).channel_values.__pregel_tasks
      : (value as [string, unknown][]).filter(([channel]) => channel === "__pregel_tasks");
  return JSON.stringify(found) ?? "";
}
