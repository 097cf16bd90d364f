import path from "node:path";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseMessage } from "@langchain/core/messages";
import type {
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SqliteSaver } from "../src/index.ts";
import { chat } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import { checkpointOf, collect, idOf, thread } from "./support/thread.ts";

const ROUNDS = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

type Values = Record<string, unknown>;
type Versions = Record<string, number>;

/** A checkpoint as it was put. */
interface Kept {
  readonly config: RunnableConfig;
  readonly parent: Kept | undefined;
  readonly values: Values;
  readonly versions: Versions;
  readonly metadata: CheckpointMetadata;
  readonly writes: Map<
    string,
    { order: readonly [string, string, number]; channel: string; value: unknown }
  >;
}

/** What a saver has to give, kept in the simplest way. */
interface Model {
  /** In order of their ids. */
  kept: Kept[];
}

interface Real {
  saver: SqliteSaver;
  readonly open: () => SqliteSaver;
  /** What goes on from here: values as a run holds them, live objects. */
  readonly live: Map<string, Values>;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const pick = <T>(list: readonly T[], n: number): T | undefined =>
  list[n % Math.max(1, list.length)];
/** structuredClone drops the prototype of messages. */
function copy<T>(value: T, copies: Map<unknown, unknown> = new Map()): T {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array || value instanceof Date) return value;
  const known = copies.get(value);
  if (known !== undefined) return known as T;
  const clone = (
    Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value) as object)
  ) as Record<PropertyKey, unknown>;
  copies.set(value, clone);
  for (const key of Reflect.ownKeys(value)) {
    if (key !== "length") clone[key] = copy((value as Record<PropertyKey, unknown>)[key], copies);
  }
  return clone as T;
}

/** Change some channels of a state, sometimes in place. */
function change(values: Values, n: number): { values: Values; changed: string[] } {
  const next = { ...values };
  const changed: string[] = [];
  const set = (channel: string, value: unknown): void => {
    next[channel] = value;
    changed.push(channel);
  };
  const messages = (values.messages ?? []) as BaseMessage[];
  if (n % 2 === 0)
    set("messages", [
      ...messages.slice(n % 11 === 0 ? 2 : 0),
      ...chat(1 + (n % 9), messages.length),
    ]);
  if (n % 3 === 0 && messages.length > 0) {
    (pick(messages, n) as BaseMessage).additional_kwargs.edited = n;
    set("messages", n % 2 === 0 ? next.messages : [...messages]);
  }
  if (n % 5 === 0) {
    const files = (values.files ?? {}) as Values;
    set("files", {
      ...files,
      [`/f${n % 12}`]: { content: `${n} `.padEnd(80 + (n % 900), "text "), at: new Date(n) },
    });
  }
  if (n % 7 === 0) set("plain", n);
  if (n % 13 === 0) set("blob", new Uint8Array(n % 6000).fill(n & 255));
  return { values: next, changed: [...new Set(changed)] };
}

const put = (line: number, from: number, n: number, isFork: boolean): Command =>
  command(`put(line ${line}, ${isFork ? `fork ${from}` : "on"}, ${n})`, async (model, real) => {
    const [threadId, ns] = [`t${line % 2}`, line % 3 === 0 ? "" : "child:x"];
    const own = model.kept.filter(({ config }) => isIn(config, threadId, ns));
    const parent = isFork ? pick(own, from) : own.at(-1);
    const key = parent === undefined ? undefined : idOf(parent.config);
    const before =
      (key === undefined ? undefined : real.live.get(key)) ?? copy(parent?.values ?? {});
    const { values, changed } = change(before, n);
    const newVersions = Object.fromEntries(
      changed.map((channel) => [channel, real.saver.getNextVersion(parent?.versions[channel])]),
    );
    const versions = { ...parent?.versions, ...newVersions };
    const metadata = {
      source: "loop",
      step: n,
      parents: {},
      kind: `k${n % 3}`,
    } as never as CheckpointMetadata;
    const checkpoint = checkpointOf(values, { channel_versions: versions });
    const config = await real.saver.put(
      parent?.config ?? thread(threadId, ns),
      checkpoint,
      metadata,
      newVersions,
    );
    real.live.set(idOf(config), values);
    // What was changed in place shows in later checkpoints only.
    model.kept.push({
      config,
      parent,
      values: copy({ ...copy(parent?.values ?? {}), ...pickKeys(values, changed) }),
      versions,
      metadata,
      writes: new Map(),
    });
    model.kept.sort((a, b) => (idOf(a.config) < idOf(b.config) ? -1 : 1));
  });

const write = (at: number, task: number, taskPath: string, count: number): Command =>
  command(`putWrites(${at}, task ${task}, ${count})`, async (model, real) => {
    const kept = pick(model.kept, at);
    if (kept === undefined) return;
    const live = (real.live.get(idOf(kept.config))?.messages ?? []) as BaseMessage[];
    const writes = Array.from({ length: count }, (_, i): PendingWrite => {
      const value =
        i % 2 === 0 ? [...chat(1, 500 + at), ...live.slice(-2)] : { n: i, text: "x".repeat(150) };
      return [i % 2 === 0 ? "messages" : "other", value];
    });
    await real.saver.putWrites(kept.config, writes, `task-${task}`, taskPath);
    writes.forEach(([channel, value], i) => {
      const name = `task-${task} ${i}`;
      if (kept.writes.has(name)) return;
      kept.writes.set(name, {
        order: [taskPath, `task-${task}`, i],
        channel,
        value: copy(value),
      });
    });
  });

const read = (at: number): Command =>
  command(`getTuple(${at})`, async (model, real) => {
    const kept = pick(model.kept, at);
    if (kept === undefined) return;
    const tuple = (await real.saver.getTuple(kept.config)) as CheckpointTuple;
    expectKept(tuple, kept);
    // A run goes on with what it loaded.
    real.live.set(idOf(kept.config), tuple.checkpoint.channel_values);
    const { thread_id: threadId, checkpoint_ns: ns } = kept.config.configurable as Record<
      string,
      string
    >;
    const [newest] = model.kept
      .filter(({ config }) => isIn(config, threadId as string, ns as string))
      .slice(-1);
    expectKept(
      (await real.saver.getTuple(thread(threadId as string, ns))) as CheckpointTuple,
      newest as Kept,
    );
  });

const list = (line: number, limit: number, kind: number, before: number): Command =>
  command(`list(line ${line}, limit ${limit}, kind ${kind})`, async (model, real) => {
    const threadId = `t${line % 2}`;
    const last = pick(model.kept, before);
    const filter = kind < 3 ? { kind: `k${kind}` } : undefined;
    const tuples = await collect(
      real.saver.list(
        { configurable: { thread_id: threadId } },
        {
          limit,
          ...(filter && { filter }),
          ...(last && kind % 2 === 0 && { before: last.config }),
        },
      ),
    );
    const expected = model.kept
      .filter(
        ({ config, metadata }) =>
          config.configurable?.thread_id === threadId &&
          (filter === undefined || (metadata as Values).kind === filter.kind) &&
          (last === undefined || kind % 2 !== 0 || idOf(config) < idOf(last.config)),
      )
      .reverse()
      .slice(0, limit);
    expect(tuples.map(({ config }) => config)).toStrictEqual(expected.map(({ config }) => config));
    tuples.forEach((tuple, i) => expectKept(tuple, expected[i] as Kept));
  });

const remove = (line: number): Command =>
  command(`deleteThread(t${line % 2})`, async (model, real) => {
    await real.saver.deleteThread(`t${line % 2}`);
    model.kept = model.kept.filter(
      ({ config }) => config.configurable?.thread_id !== `t${line % 2}`,
    );
  });

const reopen = (forgets: boolean): Command =>
  command(forgets ? "restart" : "reopen", async (_, real) => {
    await real.saver.close();
    real.saver = real.open();
    if (forgets) real.live.clear();
  });

function expectKept(tuple: CheckpointTuple, kept: Kept): void {
  expect(tuple.checkpoint.channel_values).toStrictEqual(kept.values);
  expect(tuple.checkpoint.channel_versions).toStrictEqual(kept.versions);
  expect(tuple.metadata).toStrictEqual(kept.metadata);
  expect(tuple.parentConfig).toStrictEqual(kept.parent?.config);
  const writes = [...kept.writes.values()].sort((a, b) => (a.order < b.order ? -1 : 1));
  expect(tuple.pendingWrites).toStrictEqual(
    writes.map(({ order, channel, value }) => [order[1], channel, value]),
  );
}

function isIn(config: RunnableConfig, threadId: string, ns: string): boolean {
  return config.configurable?.thread_id === threadId && config.configurable.checkpoint_ns === ns;
}

function pickKeys(values: Values, keys: readonly string[]): Values {
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

describe("a saver", () => {
  const folder = temporaryFolders();

  it("keeps what a simple model keeps, whatever comes in whatever order", async () => {
    const n = fc.nat({ max: 5000 });
    const small = fc.nat({ max: 20 });
    const commands = fc.commands(
      [
        fc.tuple(small, small, n).map(([line, from, step]) => put(line, from, step, false)),
        fc.tuple(small, small, n).map(([line, from, step]) => put(line, from, step, false)),
        fc.tuple(small, small, n).map(([line, from, step]) => put(line, from, step, true)),
        fc
          .tuple(small, fc.nat({ max: 2 }), fc.constantFrom("", "~a", "~b"), fc.nat({ max: 3 }))
          .map((args) => write(...args)),
        small.map(read),
        fc.tuple(small, fc.nat({ max: 9 }), fc.nat({ max: 4 }), small).map((args) => list(...args)),
        fc.nat({ max: 9 }).map(remove),
        fc.boolean().map(reopen),
      ],
      { maxCommands: 30, size: "max" },
    );
    let run = 0;
    const place = folder();
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const file = path.join(place, `${run++}.db`);
        const open = (): SqliteSaver => SqliteSaver.fromConnString(file);
        const real: Real = { saver: open(), open, live: new Map() };
        try {
          await fc.asyncModelRun(() => ({ model: { kept: [] }, real }), list);
        } finally {
          await real.saver.close();
        }
      }),
      { numRuns: 40 * ROUNDS },
    );
  }, 240_000);
});
