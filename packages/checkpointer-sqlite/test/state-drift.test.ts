import { mkdtempSync, rmSync } from "node:fs";
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
} from "@langchain/langgraph";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { z } from "zod";
import {
  type AllowlistOptions,
  type AnySaver,
  SaverError,
  SqliteSaver,
  type StateVersion,
  withAllowlist,
} from "../src/index.ts";
import { BlobSaver } from "./blob-saver.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

const config = { configurable: { thread_id: "1" } };
const resume = new Command({ resume: "yes" });

/** The state as it was deployed first. */
const First = Annotation.Root({
  cart: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  name: Annotation<string>(),
  total: Annotation<number>(),
  note: Annotation<string>(),
  log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** As it is now: a field renamed, one converted, one split, one new. */
const Second = Annotation.Root({
  items: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  first: Annotation<string>(),
  last: Annotation<string>(),
  total: Annotation<string>(),
  currency: Annotation<string>(),
  log: Annotation<{ text: string }[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
});

/** Done twice it would show. */
const toLog = (lines: string[]): { text: string }[] => lines.map((text) => ({ text }));

const changes: StateVersion = {
  version: 2,
  migrate: {
    1: {
      rename: { cart: "items" },
      convert: { total: (total: number) => `${total}.00`, log: toLog },
      split: {
        name: (name: string) => {
          const [first, last] = name.split(" ");
          return { first, last };
        },
      },
      remove: ["note"],
      add: { currency: () => "EUR" },
    },
  },
};

/** The same by a function, which is given parts of a state too. */
const byFunction: StateVersion = {
  version: 2,
  migrate: {
    1: ({ cart, name, total, log, ...rest }, { kind }) => ({
      ...omit(rest, "note"),
      items: cart,
      ...(typeof name === "string" ? { first: name.split(" ")[0], last: name.split(" ")[1] } : {}),
      total: total === undefined ? undefined : `${Number(total)}.00`,
      log: log === undefined ? undefined : toLog(log as string[]),
      currency: kind === "checkpoint" ? "EUR" : undefined,
    }),
  },
};

/** One node is done, one waits, and so do two workers, one of which is done. */
function first(saver: unknown): LooseCompiled {
  return looseGraph(First)
    .addNode("begin", () => ({
      cart: ["apple"],
      name: "Ada Lovelace",
      total: 5,
      note: "n",
      log: ["begun"],
    }))
    .addNode("quick", () => ({ cart: ["bread"], total: 7 }))
    .addNode("slow", () => {
      interrupt("go on?");
      return {};
    })
    .addNode("work", (state: { cart: string[]; n: number }) => {
      if (state.n === 0) return { cart: [`worked on ${state.cart.length}`] };
      interrupt("work?");
      return {};
    })
    .addEdge(START, "begin")
    .addEdge("begin", "quick")
    .addEdge("begin", "slow")
    .addConditionalEdges(
      "begin",
      (state: object) => [0, 1].map((n) => new Send("work", { ...state, n })),
      ["work"],
    )
    .addEdge("quick", END)
    .compile({ checkpointer: saver });
}

const sent: unknown[] = [];

function second(saver: unknown): LooseCompiled {
  return looseGraph(Second)
    .addNode("begin", () => ({}))
    .addNode("quick", () => ({ items: ["never"] }))
    .addNode("slow", (state: unknown) => {
      sent.push(state);
      const text = `slow after ${String(interrupt("go on?"))}`;
      return { items: [text], log: [{ text }] };
    })
    .addNode("work", (state: { items: string[] }) => {
      sent.push(state);
      return { items: [`work after ${String(interrupt("work?"))}, ${state.items.length}`] };
    })
    .addEdge(START, "begin")
    .addEdge("begin", "quick")
    .addEdge("begin", "slow")
    .addConditionalEdges("begin", () => [], ["work"])
    .addEdge("quick", END)
    .compile({ checkpointer: saver });
}

let folder: string;
const open: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-drift-"));
  sent.length = 0;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((saver) => saver.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A saver as a new process would open it. */
const savers: Record<string, () => () => AnySaver> = {
  SqliteSaver: () => () => {
    const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
    open.push(saver);
    return saver;
  },
  "a wrapped saver": () => {
    const memory = new MemorySaver();
    return () => memory;
  },
  "a wrapped saver that keeps values by version": () => {
    const blobs = new BlobSaver();
    return () => blobs;
  },
};

const migrated = {
  items: ["apple"],
  first: "Ada",
  last: "Lovelace",
  total: "5.00",
  currency: "EUR",
  log: [{ text: "begun" }],
};

/** With what is written and not yet applied, as LangGraph shows a state. */
const waiting = { ...migrated, items: ["apple", "bread", "worked on 1"], total: "7.00" };

const finished = {
  ...migrated,
  items: expect.arrayContaining([
    "apple",
    "bread",
    "worked on 1",
    "slow after yes",
    "work after yes, 1",
  ]) as string[],
  total: "7.00",
  log: [{ text: "begun" }, { text: "slow after yes" }],
};

describe.each(Object.entries(savers))("over %s", (_name, make) => {
  describe.each([
    ["told field by field", changes],
    ["by a function", byFunction],
  ])("an older state, %s", (_how, state) => {
    it.each(["sync", "async", "exit"] as const)(
      "goes on as the present one, with what was written and sent (%s)",
      async (durability) => {
        const saver = make();
        await withAllowlist(first(saver())).invoke({}, { ...config, durability });
        const graph = withAllowlist(second(saver()), { state });
        expect((await graph.getState(config)).values).toEqual(waiting);

        const result = await graph.invoke(resume, { ...config, durability });
        expect(result).toEqual(finished);
        expect(result.items).toHaveLength(5);
        expect(sent).toContainEqual({ ...omit(migrated, "currency"), n: 1 });

        const again = withAllowlist(second(saver()), { state });
        expect((await again.getState(config)).values).toEqual(finished);
      },
    );
  });

  it("keeps the fields that nothing writes any more", async () => {
    const saver = make();
    await withAllowlist(first(saver())).invoke({}, config);
    const graph = withAllowlist(second(saver()), { state: changes });
    await graph.updateState(config, { total: "1.00" }, "quick");
    await graph.updateState(config, { total: "2.00" }, "quick");
    const { values } = await withAllowlist(second(saver()), { state: changes }).getState(config);
    expect(values).toMatchObject({ first: "Ada", currency: "EUR", total: "2.00" });
  });

  it("tells new writes from old ones at one checkpoint", async () => {
    const saver = make();
    await withAllowlist(first(saver())).invoke({}, config);
    // Only one of the two that wait goes on: its write joins the old ones.
    const graph = withAllowlist(second(saver()), { state: changes });
    const tasks = (await graph.getState(config)).tasks as {
      name?: string;
      interrupts: { id: string }[];
    }[];
    const slow = tasks.find((task) => task.name === "slow")?.interrupts[0]?.id as string;
    await graph.invoke(new Command({ resume: { [slow]: "first" } }), config);
    const later = withAllowlist(second(saver()), { state: changes });
    const result = await later.invoke(resume, config);
    expect(result.items).toEqual(
      expect.arrayContaining(["bread", "worked on 1", "slow after first", "work after yes, 1"]),
    );
    expect(result.items).toHaveLength(5);
    expect(result.log).toEqual([{ text: "begun" }, { text: "slow after first" }]);
  });

  it("migrates what time travel finds", async () => {
    const saver = make();
    await withAllowlist(first(saver())).invoke({}, config);
    const graph = withAllowlist(second(saver()), { state: changes });
    await graph.invoke(resume, config);
    const history: { values: object; config: object; next: string[] }[] = [];
    for await (const snapshot of graph.getStateHistory(config)) history.push(snapshot);
    const old = history.find(({ next }) => next.includes("slow"));
    expect(old?.values).toEqual(migrated);
    for (const { values } of history) {
      expect(values).not.toHaveProperty("cart");
      expect(values).not.toHaveProperty("name");
    }
    const fork = await graph.updateState(old?.config as object, { items: ["forked"] }, "quick");
    expect((await graph.getState(fork)).values).toMatchObject({
      items: ["apple", "forked"],
      first: "Ada",
    });
    await graph.invoke(null, old?.config as object);
    expect((await graph.getState(config)).values).toMatchObject({ first: "Ada" });
  });

  it("leaves what is stored as it was when a step fails", async () => {
    const saver = make();
    const original = withAllowlist(first(saver()));
    await original.invoke({}, config);
    const before = (await original.getState(config)).values;
    for (const step of [
      () => {
        throw new TypeError("broken");
      },
      () => "text" as never,
    ]) {
      const graph = withAllowlist(second(saver()), { state: { version: 2, migrate: { 1: step } } });
      const failing = [() => graph.getState(config), () => graph.invoke(resume, config)];
      for (const work of failing) {
        const error = await work().catch((caught: unknown) => caught);
        expect(SaverError.is(error) && error.code).toBe("migration_failed");
        expect(String(error)).toMatch(/Thread "1", checkpoint .* version 1 to 2/);
      }
    }
    const again = withAllowlist(first(saver()));
    expect((await again.getState(config)).values).toEqual(before);
    expect((await again.invoke(resume, config)).cart).toHaveLength(3);
  });

  it("is refused by older code, both versions named", async () => {
    const saver = make();
    await withAllowlist(first(saver())).invoke({}, config);
    await withAllowlist(second(saver()), { state: changes }).invoke(resume, config);
    const older = withAllowlist(first(saver()));
    await expect(older.getState(config)).rejects.toMatchObject({ code: "newer_version" });
    await expect(older.invoke({}, config)).rejects.toThrow(/version 2.*version 1/);
  });

  it("passes several steps in order", async () => {
    const saver = make();
    await withAllowlist(first(saver())).invoke({}, config);
    const graph = withAllowlist(second(saver()), {
      state: {
        version: 4,
        migrate: {
          1: changes.migrate?.[1] ?? {},
          2: { convert: { total: (total: string) => `${total} EUR` }, remove: ["currency"] },
          3: ({ total, ...rest }) =>
            total === undefined ? rest : { ...rest, total: `about ${String(total)}` },
        },
      },
    });
    expect((await graph.getState(config)).values).toEqual({
      ...omit(waiting, "currency"),
      total: "about 7.00 EUR",
    });
    expect((await graph.invoke(resume, config)).total).toBe("about 7.00 EUR");
  });
});

it.each(Object.entries(savers))(
  "takes a private field along to its new name, out of Sends and into them, over %s",
  async (_name, make) => {
    const old = Annotation.Root({ token: Annotation<string>(), out: Annotation<string>() });
    const now = Annotation.Root({ secret: Annotation<string>(), out: Annotation<string>() });
    const build = (schema: unknown, key: string, saver: unknown): LooseCompiled =>
      looseGraph(schema)
        .addNode("begin", () => ({ [key]: "t0" }))
        .addNode("work", (state: Record<string, string>) => {
          interrupt("go on?");
          return { out: `with ${String(state[key])}` };
        })
        .addEdge(START, "begin")
        .addConditionalEdges("begin", (state: object) => [new Send("work", { ...state })], ["work"])
        .compile({ checkpointer: saver });
    const file = make();
    await withAllowlist(build(old, "token", file()), { private: ["token"] }).invoke({}, config);
    const options: AllowlistOptions = {
      private: ["secret"],
      state: { version: 2, migrate: { 1: { rename: { token: "secret" } } } },
    };
    const result = await withAllowlist(build(now, "secret", file()), options).invoke(
      resume,
      config,
    );
    expect(result).toEqual({ secret: "t0", out: "with t0" });
  },
);

it.each(["v1", "v2"] as const)("takes an agent's own state along (%s)", async (version) => {
  const file = savers.SqliteSaver?.() as () => AnySaver;
  const seen: unknown[] = [];
  const agentOver = (key: string, message: AIMessage | undefined, options?: AllowlistOptions) => {
    const model = fakeModel();
    if (message !== undefined) model.respond(message);
    model.respond(new AIMessage("done"));
    const ask = tool(
      (_, runtime) => {
        seen.push((runtime as unknown as { state: Record<string, unknown> }).state[key]);
        return `answer: ${String(interrupt("ask?"))}`;
      },
      { name: "ask", description: "ask a person", schema: z.object({}) },
    );
    const agent = createAgent({
      model,
      version,
      tools: [ask],
      stateSchema: z.object({ [key]: z.array(z.string()).optional() }),
      checkpointer: file() as never,
    });
    return withAllowlist(agent, options) as unknown as LooseCompiled;
  };
  const call = new AIMessage({ content: "", tool_calls: [{ name: "ask", args: {}, id: "c1" }] });
  const input = { messages: [{ role: "user", content: "go" }], cart: ["tea"] };
  await agentOver("cart", call).invoke(input, config);
  const state: StateVersion = { version: 2, migrate: { 1: { rename: { cart: "basket" } } } };
  const result = await agentOver("basket", undefined, { state }).invoke(resume, config);
  expect(result.basket).toEqual(["tea"]);
  expect(result).not.toHaveProperty("cart");
  expect((result.messages as { text: string }[]).map(({ text }) => text)).toEqual([
    "go",
    "",
    "answer: yes",
    "done",
  ]);
  expect(seen).toEqual([["tea"], ["tea"]]);
});

it("can be asked of the database: which threads are left in an older version", async () => {
  const saver = savers.SqliteSaver?.() as () => AnySaver;
  await withAllowlist(first(saver())).invoke({}, config);
  await withAllowlist(first(saver())).invoke({}, { configurable: { thread_id: "2" } });
  await withAllowlist(second(saver()), { state: changes }).invoke(resume, config);
  const db = new Database(join(folder, "t.db"), { readonly: true });
  const rows = db
    .prepare(
      `SELECT t.thread_id AS thread, MAX(c.state_version) AS version
       FROM tk_checkpoints AS c JOIN tk_threads AS t ON t.thread = c.thread GROUP BY 1 ORDER BY 1`,
    )
    .all();
  db.close();
  expect(rows).toEqual([
    { thread: "1", version: 2 },
    { thread: "2", version: 1 },
  ]);
});

describe("options", () => {
  const graph = (): LooseCompiled => second(undefined);
  it.each<[string, unknown, string]>([
    ["no whole version", { version: 1.5 }, "from 1 on"],
    ["no step", { version: 2 }, "migrate: { 1:"],
    ["a step too many", { version: 1, migrate: { 1: {} } }, "no step can start from 1"],
    ["a misspelt change", { version: 2, migrate: { 1: { renamed: {} } } }, "rename"],
    ["a step that is none", { version: 2, migrate: { 1: "x" } }, "function"],
  ])("are refused with %s", (_, state, part) => {
    const options = { state } as AllowlistOptions;
    expect(() => withAllowlist(graph(), options)).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: expect.stringContaining(part) as string,
      }),
    );
  });
});

function omit(record: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
