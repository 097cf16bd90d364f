import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  Send,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
} from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteSaver, withAllowlist } from "../src/index.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

const SECRET = "secret-of-the-live-object-4b1d";

/** A live object whose content must never reach the file. */
class Session {
  readonly token: string = SECRET;
  run(): string {
    return "ran";
  }
}

let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-harden-"));
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

const declared = {
  "a marked Zod field": () =>
    z.object({
      text: z.string().optional(),
      session: untracked<Session>(),
      seen: z.string().optional(),
    }),
  "a marked Zod field, described afterwards": () =>
    z.object({
      text: z.string().optional(),
      session: untracked<Session>().describe("live"),
      seen: z.string().optional(),
    }),
  "UntrackedValue in a StateSchema": () =>
    new StateSchema({
      text: z.string().optional(),
      session: new UntrackedValue(z.custom<Session>()),
      seen: z.string().optional(),
    }),
  "a marked field in a StateSchema": () =>
    new StateSchema({
      text: z.string().optional(),
      session: untracked<Session>(),
      seen: z.string().optional(),
    }),
};

interface State {
  readonly text?: string;
  readonly session?: Session;
  readonly seen?: string;
}

function build(schema: unknown, saver: unknown): LooseCompiled {
  const graph = looseGraph(schema)
    .addNode("open", () => ({ session: new Session() }))
    .addNode("use", (state: State) => ({ seen: state.session?.run() ?? "nothing" }))
    .addNode("work", (state: State & { deep?: { session: Session }[] }) => {
      interrupt("go on?");
      return {
        text: `worker ${state.text}, ${state.session === undefined ? "no session" : "session"}`,
      };
    })
    .addEdge(START, "open")
    .addEdge("open", "use")
    .addConditionalEdges(
      "use",
      (state: State) => [
        new Send("work", { ...state, text: "one", deep: [{ session: state.session }] }),
      ],
      ["work"],
    )
    .addEdge("work", END);
  return graph.compile({ checkpointer: saver });
}

describe.each(Object.entries(declared))("untracked by %s", (_name, schema) => {
  it.each(["sync", "async", "exit"] as const)(
    "leaves no byte in the file and stays in reach of the run (%s)",
    async (durability) => {
      const config = { configurable: { thread_id: "1" }, durability };
      const graph = withAllowlist(build(schema(), open()));
      await graph.invoke({ text: "in", session: new Session() }, config);
      const before = await graph.getState(config);
      expect(before.values).toMatchObject({ seen: "ran" });
      expect(before.next).toEqual(["work"]);
      expect(stored()).not.toContain(SECRET);

      const resumed = withAllowlist(build(schema(), open()));
      const result = await resumed.invoke(new Command({ resume: "yes" }), config);
      expect(result).toMatchObject({ seen: "ran", text: "worker one, no session" });
      await resumed.updateState(
        config,
        { session: new Session(), text: "updated" } as never,
        "open",
      );
      expect(stored()).toContain("updated");
      expect(stored()).not.toContain(SECRET);
    },
  );
});

describe("hardening", () => {
  const State = Annotation.Root({ v: Annotation<unknown>(), keep: Annotation<string>() });
  const config = { configurable: { thread_id: "1" } };
  const graphOver = (saver: unknown, value: () => unknown) =>
    looseGraph(State)
      .addNode("first", () => ({ keep: "kept" }))
      .addNode("second", () => ({ v: value() }))
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END)
      .compile({ checkpointer: saver });

  class Money {
    readonly cents: bigint = 5n;
  }

  it("refuses what can't be stored, names the place, and keeps the checkpoint before", async () => {
    const graph = withAllowlist(graphOver(open(), () => ({ deep: [{ fn: () => 1 }] })));
    await expect(graph.invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: "v.deep[0].fn",
    });
    expect((await graph.getState(config)).values).toEqual({ keep: "kept" });
  });

  it("refuses a class that is not in types, and keeps one that is", async () => {
    await expect(
      withAllowlist(graphOver(open(), () => new Money())).invoke({}, config),
    ).rejects.toMatchObject({
      code: "unregistered_class",
      path: "v",
    });
    const graph = withAllowlist(
      graphOver(open(), () => new Money()),
      { types: { Money } },
    );
    await graph.invoke({}, { configurable: { thread_id: "2" } });
    const { values } = await withAllowlist(
      graphOver(open(), () => 0),
      { types: { Money } },
    ).getState({ configurable: { thread_id: "2" } });
    expect(values.v).toBeInstanceOf(Money);
    await expect(
      withAllowlist(graphOver(open(), () => 0)).getState({ configurable: { thread_id: "2" } }),
    ).rejects.toMatchObject({
      code: "type_not_allowed",
    });
  });

  it("changes nothing when done twice", () => {
    const graph = withAllowlist(graphOver(open(), () => 1));
    const { checkpointer } = graph;
    expect(withAllowlist(graph)).toBe(graph);
    expect(graph.checkpointer).toBe(checkpointer);
  });

  it("holds for a saver that is assigned later, and for copies", async () => {
    const graph = withAllowlist(graphOver(undefined, () => () => 1));
    graph.checkpointer = open() as never;
    await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unsupported_type" });
    const copy = graph.withConfig({ configurable: { thread_id: "3" } });
    await expect(copy.invoke({})).rejects.toMatchObject({ code: "unsupported_type", path: "v" });
  });

  it("wraps a saver of another package", async () => {
    const memory = new MemorySaver();
    const graph = withAllowlist(graphOver(memory, () => new Map([[new Date(5), 1n]])));
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values.v).toEqual(new Map([[new Date(5), 1n]]));
  });

  it.each([
    ["nothing", undefined],
    ["a builder", new StateGraph(State)],
    ["a plain object", {}],
  ])("refuses %s", (_name, target) => {
    expect(() => withAllowlist(target as never)).toThrow(
      expect.objectContaining({ code: "unsupported" }),
    );
  });
});

describe("configs", () => {
  it.each([
    ["a number", 5],
    ["an object", {}],
    ["an empty string", ""],
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "a\ud800"],
    ["a very long string", "x".repeat(5000)],
  ])("refuses %s as thread_id and stores nothing", async (_name, threadId) => {
    const saver = open();
    const graph = looseGraph(Annotation.Root({ v: Annotation<number>() }))
      .addNode("a", () => ({ v: 1 }))
      .addEdge(START, "a")
      .compile({ checkpointer: saver });
    await expect(
      graph.invoke({}, { configurable: { thread_id: threadId as string } }),
    ).rejects.toMatchObject({ code: "invalid_config" });
    for await (const tuple of saver.list({})) expect.unreachable(JSON.stringify(tuple));
  });

  it("says that thread_id is missing", async () => {
    const graph = looseGraph(Annotation.Root({ v: Annotation<number>() }))
      .addNode("a", () => ({ v: 1 }))
      .addEdge(START, "a")
      .compile({ checkpointer: open() });
    await expect(graph.invoke({}, { configurable: {} })).rejects.toThrow(/thread_id is missing/);
  });
});
