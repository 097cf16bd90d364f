import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  tool,
  type ToolRuntime,
} from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { PersistenceError, persistence, resource } from "../src/index.ts";

const SECRET = "secret-of-the-resource-77aa";

class Session {
  readonly token: string = SECRET;
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-middleware-"));
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

function stored(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString("latin1"))
    .join("");
}

/** Where a session was seen, and which one. */
type Sightings = Record<string, (number | undefined)[]>;

/** An agent whose every hook, wrap and tool says which session it sees. */
function build(options: {
  version: "v1" | "v2";
  key?: string;
  checkpointer: unknown;
  pause?: string;
}) {
  const { key = "session", pause } = options;
  let made = 0;
  const session = resource({ key, create: () => new Session(++made), dispose: () => undefined });
  const seen: Sightings = {};
  const see = (place: string, state: unknown): void => {
    (seen[place] ??= []).push(
      (state as Record<string, Session | undefined> | undefined)?.[key]?.number,
    );
  };
  const maybePause = (place: string): void => {
    if (pause === place) interrupt(place);
  };
  const watcher = createMiddleware({
    name: "Watcher",
    stateSchema: z.object({ [key]: z.any().optional() }),
    beforeAgent: (state) => (see("beforeAgent", state), maybePause("beforeAgent"), undefined),
    beforeModel: (state) => (see("beforeModel", state), maybePause("beforeModel"), undefined),
    afterModel: (state) => (see("afterModel", state), maybePause("afterModel"), undefined),
    afterAgent: (state) => (see("afterAgent", state), maybePause("afterAgent"), undefined),
    wrapModelCall: (request, handler) => (
      see("wrapModelCall", request.state),
      maybePause("wrapModelCall"),
      handler(request)
    ),
    wrapToolCall: (request, handler) => (
      see("wrapToolCall", request.state),
      maybePause("wrapToolCall"),
      handler(request)
    ),
  });
  const look = tool(
    async (_input, runtime: ToolRuntime) => {
      see("tool", runtime.state);
      maybePause("tool");
      (seen["resource.get"] ??= []).push((await session.get(runtime)).number);
      return "looked";
    },
    { name: "look", description: "Look.", schema: z.object({}) },
  );
  const model = fakeModel();
  for (let i = 0; i < 6; i++) {
    model.respond((messages) =>
      messages.some(({ type }) => type === "tool")
        ? new AIMessage({ content: "done", id: "done" })
        : new AIMessage({
            content: "",
            id: "call",
            tool_calls: ["a", "b"].map((id) => ({
              name: "look",
              args: {},
              id,
              type: "tool_call" as const,
            })),
          }),
    );
  }
  const agent = createAgent({
    model,
    tools: [look],
    middleware: [persistence({ resources: [session] }), watcher] as const,
    checkpointer: options.checkpointer as never,
    version: options.version,
  });
  return { agent, session, seen, made: () => made };
}

const config = { configurable: { thread_id: "1" } };
const PLACES = [
  "beforeAgent",
  "beforeModel",
  "wrapModelCall",
  "afterModel",
  "wrapToolCall",
  "tool",
  "resource.get",
  "afterAgent",
];

describe.each(["v1", "v2"] as const)("tool dispatch %s", (version) => {
  describe.each(["session", "_session"])("key %s", (key) => {
    it("shows every hook, wrap and tool the same object, and stores nothing of it", async () => {
      const { agent, seen, made } = build({ version, key, checkpointer: open() });
      await withAllowlist(agent).invoke({ messages: "go" }, config);
      expect(Object.keys(seen).sort()).toEqual([...PLACES].sort());
      for (const place of PLACES) expect([place, ...new Set(seen[place])]).toEqual([place, 1]);
      expect(made()).toBe(1);
      expect(stored().includes("looked")).toBe(true);
      expect(stored().includes(SECRET)).toBe(false);
    });

    it.each(["beforeModel", "wrapModelCall", "afterModel", "wrapToolCall", "tool", "afterAgent"])(
      "makes it again for whatever runs first after a resume (paused in %s)",
      async (pause) => {
        const first = build({ version, key, checkpointer: open(), pause });
        await withAllowlist(first.agent).invoke({ messages: "go" }, config);
        const second = build({ version, key, checkpointer: open(), pause });
        const hardened = withAllowlist(second.agent);
        await hardened.getState(config);
        expect(second.made()).toBe(0);
        let next: string[] = ["more"];
        for (let i = 0; next.length > 0 && i < 8; i++) {
          await hardened.invoke(new Command({ resume: "go on" }), config);
          next = ((await hardened.getState(config)) as { next: string[] }).next;
        }
        expect(next).toEqual([]);
        expect(second.made()).toBe(1);
        for (const [place, numbers] of Object.entries(second.seen))
          expect([place, ...new Set(numbers)]).toEqual([place, 1]);
        expect(Object.keys(second.seen)).toContain(pause);
        expect(stored().includes(SECRET)).toBe(false);
      },
    );
  });

  it("keeps the object across an interrupt in one process, and ends it with its thread", async () => {
    const { agent, session, seen, made } = build({ version, checkpointer: open(), pause: "tool" });
    const hardened = withAllowlist(agent);
    await hardened.invoke({ messages: "go" }, config);
    const object = session.peek("1");
    for (let i = 0; i < 3; i++) await hardened.invoke(new Command({ resume: "go on" }), config);
    expect(session.peek("1")).toBe(object);
    expect(made()).toBe(1);
    expect(new Set(seen.tool)).toEqual(new Set([1]));
    await (hardened.checkpointer as unknown as SqliteSaver).deleteThread("1");
    expect(session.peek("1")).toBeUndefined();
  });
});

describe("persistence", () => {
  it("never shares an object between a hundred interleaved threads", async () => {
    const made = new Map<Session, string>();
    let count = 0;
    const session = resource({
      key: "session",
      create: ({ threadId }) => {
        const object = new Session(++count);
        made.set(object, threadId);
        return object;
      },
    });
    const who = tool(
      async (_input, runtime: ToolRuntime) => {
        const { session: object } = runtime.state as { session: Session };
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        return `${made.get(object)} ${runtime.configurable?.thread_id}`;
      },
      { name: "who", description: "Who.", schema: z.object({}) },
    );
    const model = fakeModel();
    for (let i = 0; i < 200; i++) {
      model.respond((messages) =>
        messages.at(-1)?.type === "tool"
          ? new AIMessage("done")
          : new AIMessage({
              content: "",
              tool_calls: [{ name: "who", args: {}, id: "1", type: "tool_call" }],
            }),
      );
    }
    const agent = withAllowlist(
      createAgent({
        model,
        tools: [who],
        middleware: [persistence({ resources: [session] })],
        checkpointer: open(),
      }),
    );
    const threads = Array.from({ length: 100 }, (_, i) => `thread-${i}`);
    const answers = await Promise.all(
      threads.map(async (thread) => {
        const { messages } = await agent.invoke(
          { messages: "who?" },
          { configurable: { thread_id: thread } },
        );
        return messages.find(({ type }) => type === "tool")?.text;
      }),
    );
    expect(answers).toEqual(threads.map((thread) => `${thread} ${thread}`));
    expect(count).toBe(100);
    await Promise.all(threads.map((thread) => session.dispose(thread)));
  });

  it("refuses a saver that would store live objects, and says what to write", async () => {
    const { agent } = build({ version: "v2", checkpointer: new MemorySaver() });
    const error: unknown = await agent
      .invoke({ messages: "go" }, config)
      .catch((caught: unknown) => caught);
    expect(String(error)).toContain("wrapSaver(saver)");
    expect(String(error)).toContain("withAllowlist(createAgent(");
  });

  it("runs without a saver and without a thread", async () => {
    const idle = resource({ key: "session", create: () => new Session(1) });
    const agent = createAgent({
      model: fakeModel().respond(new AIMessage("hi")),
      tools: [],
      middleware: [persistence({ resources: [idle] })],
    });
    const { messages } = await agent.invoke({ messages: "go" });
    expect(messages.at(-1)?.text).toBe("hi");
  });

  it("fails the step when create throws, and leaves nothing behind", async () => {
    const broken = resource({
      key: "session",
      create: () => {
        throw new Error("no server");
      },
    });
    const agent = withAllowlist(
      createAgent({
        model: fakeModel().respond(new AIMessage("hi")),
        tools: [],
        middleware: [persistence({ resources: [broken] })],
        checkpointer: open(),
      }),
    );
    await expect(agent.invoke({ messages: "go" }, config)).rejects.toMatchObject({
      code: "create_failed",
    });
    expect(broken.peek("1")).toBeUndefined();
  });

  const session = () => resource({ key: "session", create: () => new Session(1) });
  it.each([
    ["two resources with one key", () => persistence({ resources: [session(), session()] })],
    [
      "a key of the agent's own",
      () => persistence({ resources: [resource({ key: "messages", create: () => ({}) })] }),
    ],
    ["something that is no resource", () => persistence({ resources: [{ key: "a" } as never] })],
    ["an unknown mode", () => persistence({ mode: "loose" as never })],
    ["a misspelt option", () => persistence({ resource: [session()] } as never)],
    ["a resource without its list", () => persistence({ resources: session() as never })],
    ["null", () => persistence(null as never)],
  ])("refuses %s", (_name, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "invalid_options" }));
    expect(() => make()).toThrow(PersistenceError);
  });

  it("says when a resource's key is the name of data in the state", async () => {
    const thing = resource({ key: "plan", create: () => ({ live: true }) });
    const agent = createAgent({
      model: fakeModel().respond(new AIMessage("hi")),
      tools: [],
      stateSchema: z.object({ plan: z.string() }) as never,
      middleware: [persistence({ resources: [thing] })],
      checkpointer: open(),
    });
    const run = agent.invoke({ messages: "go", plan: "step one" } as never, config);
    await expect(run).rejects.toThrow(/"plan" holds a string/);
  });

  it("goes on after an aborted run, with the object that was made", async () => {
    const made: object[] = [];
    const slow = resource({
      key: "slow",
      create: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        const object = { number: made.length };
        made.push(object);
        return object;
      },
    });
    const wait = tool(
      () => new Promise<string>((resolve) => setTimeout(() => resolve("waited"), 100)),
      {
        name: "wait",
        description: "Wait.",
        schema: z.object({}),
      },
    );
    const model = fakeModel()
      .respondWithTools([{ name: "wait", args: {} }])
      .respond(new AIMessage("done"));
    const agent = withAllowlist(
      createAgent({
        model,
        tools: [wait],
        middleware: [persistence({ resources: [slow] })],
        checkpointer: open(),
      }),
    );
    await expect(
      agent.invoke({ messages: "go" }, { ...config, signal: AbortSignal.timeout(70) }),
    ).rejects.toThrow(/abort|timeout/i);
    const { messages } = await agent.invoke(null as never, config);
    expect(messages.at(-1)?.text).toBe("done");
    expect(made).toHaveLength(1);
    await slow.dispose("1");
    expect(slow.peek("1")).toBeUndefined();
  });

  it("can't be in one agent twice", () => {
    expect(() =>
      createAgent({ model: fakeModel(), tools: [], middleware: [persistence(), persistence()] }),
    ).toThrow(/Persistence/);
  });
});
