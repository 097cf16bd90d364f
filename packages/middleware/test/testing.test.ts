import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  interrupt,
  MemorySaver,
  messagesStateReducer,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import {
  interruptAndResume,
  PersistenceTestError,
  type TestedGraph,
} from "@threadkeep/middleware/testing";
import { createAgent, fakeModel, tool } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { persistence, resource } from "../src/index.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-testing-"));
  file = join(folder, "t.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): SqliteSaver => SqliteSaver.fromConnString(file);

const State = Annotation.Root({
  messages: Annotation<unknown[]>({ reducer: messagesStateReducer as never, default: () => [] }),
  v: Annotation<unknown>(),
  answer: Annotation<unknown>(),
});

/** A graph that puts a value into the state and asks before it goes on. */
function graph(
  saver: unknown,
  value: () => unknown,
  after: () => object = () => ({}),
): TestedGraph {
  return new StateGraph(State)
    .addNode("make", () => ({
      v: value(),
      messages: [new HumanMessage({ content: "hi", id: "h" })],
    }))
    .addNode("ask", () => ({ answer: interrupt("?") }))
    .addNode("after", after)
    .addEdge(START, "make")
    .addEdge("make", "ask")
    .addEdge("ask", "after")
    .addEdge("after", END)
    .compile({ checkpointer: saver as never });
}

describe("interruptAndResume", () => {
  it("passes a graph whose state survives, and gives both states", async () => {
    const { interrupted, resumed } = await interruptAndResume({
      open,
      build: (saver) =>
        withAllowlist(graph(saver, () => ({ at: new Date(5), n: 1n, tags: new Set(["a"]) }))),
      input: {},
      resume: { ok: true },
      next: ["ask"],
      files: [file],
    });
    expect(interrupted.v).toEqual({ at: new Date(5), n: 1n, tags: new Set(["a"]) });
    expect(resumed.answer).toEqual({ ok: true });
  });

  it("resumes in a process of its own", { timeout: 30_000 }, async () => {
    const module = fileURLToPath(new URL("fixtures/order-graph.mjs", import.meta.url));
    process.env.ORDER_DB = file;
    try {
      const order = (await import(module)) as {
        open(): SqliteSaver;
        build(saver: SqliteSaver): TestedGraph;
        Money: new () => object;
      };
      const { resumed } = await interruptAndResume({
        open: order.open,
        build: order.build,
        input: {},
        next: ["approve"],
        process: { module, execArgv: [] },
      });
      expect(resumed.total).toBeInstanceOf(order.Money);
      expect(resumed.approved).toBe(true);
      expect(resumed.pid).not.toBe(process.pid);
      expect(resumed.pid).toBeTypeOf("number");
    } finally {
      delete process.env.ORDER_DB;
    }
  });

  it("says when a fresh process can't resume", { timeout: 30_000 }, async () => {
    const module = fileURLToPath(new URL("fixtures/order-graph.mjs", import.meta.url));
    await expect(
      interruptAndResume({
        open,
        build: (saver) => withAllowlist(graph(saver, () => 1)),
        input: {},
        process: { module, build: "nothing", execArgv: [] },
      }),
    ).rejects.toMatchObject({ code: "resume_failed", message: expect.stringContaining("nothing") });
  });

  it.each([
    ["a Date", () => ({ at: new Date(5) }), "v.at", "Date came back as string"],
    [
      "a Map in a list",
      () => [new Map([["a", new Date(1)]])],
      'v[0].get("a")',
      "Date came back as string",
    ],
    ["NaN", () => ({ score: Number.NaN }), "v.score", "number came back as null"],
    ["a class", () => ({ money: new (class Money {})() }), "v.money", "Money came back as Object"],
  ])(
    "names the key path of %s that a saver changes in silence",
    async (_name, value, path, what) => {
      const memory = new MemorySaver();
      const error: unknown = await interruptAndResume({
        open: () => memory,
        build: (saver) => graph(saver, value),
        input: {},
      }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "changed", paths: [path] });
      expect((error as Error).message).toContain(`${path}: ${what}`);
      expect(PersistenceTestError.is(error)).toBe(true);
    },
  );

  it("names the key path of a value that can't be stored", async () => {
    const promise = interruptAndResume({
      open,
      build: (saver) => withAllowlist(graph(saver, () => ({ deep: [() => 1] }))),
      input: {},
    });
    await expect(promise).rejects.toMatchObject({ code: "not_stored", paths: ["v.deep[0]"] });
  });

  it("finds the graph whose interrupt step is the first that stores an unstorable value", async () => {
    const late = (saver: unknown): TestedGraph =>
      new StateGraph(State)
        .addNode("ask", () => {
          interrupt({ handle: () => 1 });
          return {};
        })
        .addEdge(START, "ask")
        .addEdge("ask", END)
        .compile({ checkpointer: saver as never });
    const promise = interruptAndResume({
      open,
      build: (saver) => withAllowlist(late(saver)),
      input: { v: 1 },
    });
    await expect(promise).rejects.toMatchObject({
      code: "not_stored",
      paths: [expect.stringContaining("handle")],
    });
  });

  it("says when there is no interrupt, or another one than expected", async () => {
    const straight = (saver: unknown): TestedGraph =>
      new StateGraph(State)
        .addNode("a", () => ({ v: 1 }))
        .addEdge(START, "a")
        .addEdge("a", END)
        .compile({ checkpointer: saver as never });
    await expect(interruptAndResume({ open, build: straight, input: {} })).rejects.toMatchObject({
      code: "not_interrupted",
    });
    const promise = interruptAndResume({
      open,
      build: (saver) => withAllowlist(graph(saver, () => 1)),
      input: {},
      next: ["pay"],
    });
    await expect(promise).rejects.toMatchObject({
      code: "wrong_next",
      message: expect.stringContaining("[ask], not for [pay]"),
    });
  });

  it("says which messages are gone, unless they may be", async () => {
    const forgetting = (saver: unknown): TestedGraph =>
      withAllowlist(
        graph(
          saver,
          () => 1,
          () => ({
            messages: [new RemoveMessage({ id: "h" }), new AIMessage({ content: "x", id: "a" })],
          }),
        ),
      );
    await expect(interruptAndResume({ open, build: forgetting, input: {} })).rejects.toMatchObject({
      code: "history_lost",
      paths: ["messages[0]"],
    });
    await expect(
      interruptAndResume({ open, build: forgetting, input: {}, history: false }),
    ).resolves.toBeDefined();
  });

  it("finds bytes of untracked state in the storage, in text or base64", async () => {
    const live = { token: "the-token-that-must-not-be-stored" };
    for (const stored of [live.token, Buffer.from(`x${live.token}`).toString("base64")]) {
      const promise = interruptAndResume({
        open,
        build: (saver) =>
          withAllowlist(
            graph(saver, () => ({ copy: stored, live: null })),
            {},
          ),
        input: { answer: live },
        untracked: ["answer"],
        files: [file],
      });
      await expect(promise).rejects.toMatchObject({
        code: "untracked_stored",
        paths: ["answer.token"],
      });
    }
  });

  it("passes an agent with a resource, whose texts are not in the storage", async () => {
    const session = resource({
      key: "session",
      create: () => ({ token: "token-of-the-resource-1a2b" }),
    });
    const ask = tool(() => String(interrupt("?")), {
      name: "ask",
      description: "Ask.",
      schema: z.object({}),
    });
    const model = fakeModel();
    for (let i = 0; i < 4; i++) {
      model.respond((messages) =>
        messages.at(-1)?.type === "tool"
          ? new AIMessage({ content: "done", id: "d" })
          : new AIMessage({
              content: "",
              id: "c",
              tool_calls: [{ name: "ask", args: {}, id: "1", type: "tool_call" }],
            }),
      );
    }
    const { resumed } = await interruptAndResume({
      open,
      build: (saver) =>
        withAllowlist(
          createAgent({
            model,
            tools: [ask],
            middleware: [persistence({ resources: [session] })],
            checkpointer: saver,
          }),
        ),
      input: { messages: [new HumanMessage({ content: "go", id: "h" })] },
      resume: "fine",
      next: ["tools"],
      untracked: ["session"],
      files: [file],
    });
    expect((resumed.messages as { text: string }[]).map(({ text }) => text)).toEqual([
      "go",
      "",
      "fine",
      "done",
    ]);
  });
});
