import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { SqliteSaver, wrapSaver } from "@threadkeep/checkpointer-sqlite";
import { AIMessage, createAgent, fakeModel, tool, type ToolRuntime } from "langchain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { persistence, type PersistenceMode, resource } from "../src/index.ts";

const SECRET = "secret-of-the-resource-5c1e";

let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-plain-"));
});
afterEach(async () => {
  await Promise.all(savers.splice(0).map((saver) => saver.close()));
  rmSync(folder, { recursive: true, force: true });
});

function open(): SqliteSaver {
  const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
  savers.push(saver);
  return saver;
}

/** An agent that is not hardened, with a tool that pauses and then needs the session. */
function build(
  checkpointer: unknown,
  version: "v1" | "v2" = "v2",
  mode: PersistenceMode = "strict",
) {
  let made = 0;
  const session = resource({ key: "session", create: () => ({ token: SECRET, number: ++made }) });
  const use = tool(
    async (_input, runtime: ToolRuntime) => {
      interrupt("go on?");
      const state = runtime.state as { session?: { number: number } };
      return `session ${state.session?.number}, ${(await session.get(runtime)).number}`;
    },
    { name: "use", description: "Use.", schema: z.object({}) },
  );
  const model = fakeModel();
  for (let i = 0; i < 4; i++) {
    model.respond((messages) =>
      messages.at(-1)?.type === "tool"
        ? new AIMessage("done")
        : new AIMessage({
            content: "",
            tool_calls: [{ name: "use", args: {}, id: "1", type: "tool_call" }],
          }),
    );
  }
  const agent = createAgent({
    model,
    tools: [use],
    middleware: [persistence({ resources: [session], mode })] as const,
    checkpointer: checkpointer as never,
    version,
  });
  return { agent, session };
}

const answer = (result: { messages: { type: string; text: string }[] }): string | undefined =>
  result.messages.find(({ type }) => type === "tool")?.text;

describe.each(["v1", "v2"] as const)("over a plain SqliteSaver, tool dispatch %s", (version) => {
  it.each(["sync", "async", "exit"] as const)(
    "keeps the object out of the file and in reach of tools (%s)",
    async (durability) => {
      const config = { configurable: { thread_id: "1" }, durability };
      const first = build(open(), version);
      await first.agent.invoke({ messages: "go" }, config);
      const second = build(open(), version);
      const result = await second.agent.invoke(new Command({ resume: true }), config);
      expect(answer(result as never)).toBe("session 1, 1");
      const bytes = readdirSync(folder)
        .map((name) => readFileSync(join(folder, name)).toString("latin1"))
        .join("");
      expect(bytes.includes("session 1, 1")).toBe(true);
      expect(bytes.includes(SECRET)).toBe(false);
    },
  );

  it("ends the object with its thread", async () => {
    const saver = open();
    const { agent, session } = build(saver, version);
    await agent.invoke({ messages: "go" }, { configurable: { thread_id: "1" } });
    expect(session.peek("1")).toBeDefined();
    await saver.deleteThread("1");
    expect(session.peek("1")).toBeUndefined();
  });
});

it("works over a wrapped saver", async () => {
  const memory = new MemorySaver();
  const config = { configurable: { thread_id: "1" } };
  await build(wrapSaver(memory)).agent.invoke({ messages: "go" }, config);
  const result = await build(wrapSaver(memory)).agent.invoke(new Command({ resume: true }), config);
  expect(answer(result as never)).toBe("session 1, 1");
});

it("leaves another graph's field of the same name alone, in threads without the object", async () => {
  const saver = open();
  await build(saver).agent.invoke({ messages: "go" }, { configurable: { thread_id: "1" } });
  const other = createAgent({
    model: fakeModel().respond(new AIMessage("hi")),
    tools: [],
    stateSchema: z.object({ session: z.string() }),
    checkpointer: saver,
  });
  await other.invoke({ messages: "go", session: "mine" }, { configurable: { thread_id: "2" } });
  const state = (await other.getState({ configurable: { thread_id: "2" } })) as {
    values: { session: string };
  };
  expect(state.values.session).toBe("mine");
});

it("warns once over a foreign saver in lenient mode, where objects turn into nothing", async () => {
  const memory = new MemorySaver();
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const { agent } = build(memory, "v2", "lenient");
  await agent.invoke({ messages: "go" }, { configurable: { thread_id: "1" } });
  const result = await agent.invoke(new Command({ resume: true }), {
    configurable: { thread_id: "1" },
  });
  expect(answer(result as never)).toBe("session 1, 1");
  expect(warn).toHaveBeenCalledTimes(1);
  expect(String(warn.mock.calls[0]?.[0])).toContain("wrapSaver(saver)");
  warn.mockRestore();
  const decoder = new TextDecoder();
  const text = JSON.stringify([memory.storage, memory.writes], (_key, value: unknown) =>
    value instanceof Uint8Array ? decoder.decode(value) : value,
  );
  expect(text.includes("session 1, 1")).toBe(true);
  expect(text.includes(SECRET)).toBe(false);
});

it("is strict where the environment asks for it, whatever the options say", async () => {
  expect(persistence({ mode: "lenient" }).mode).toBe("lenient");
  vi.stubEnv("LANGGRAPH_STRICT_MSGPACK", "true");
  const strict = persistence({ mode: "lenient" });
  vi.unstubAllEnvs();
  expect(strict.mode).toBe("strict");
  const agent = createAgent({
    model: fakeModel().respond(new AIMessage("hi")),
    tools: [],
    middleware: [strict],
    checkpointer: new MemorySaver(),
  });
  await expect(
    agent.invoke({ messages: "go" }, { configurable: { thread_id: "1" } }),
  ).rejects.toMatchObject({ code: "unsupported_saver" });
});
