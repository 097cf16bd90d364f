import { Command, MemorySaver } from "@langchain/langgraph";
import { MsgpackSerializer, SerdeError } from "@threadkeep/serde";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { expect } from "vitest";
import { SaverError, SqliteSaver, withAllowlist } from "../../src/index.ts";
import type { LooseCompiled } from "../loose-graph.ts";
import { Crash, crashing, type CrashPoint, type Life } from "./crashing.ts";
import { buildGraph, type GraphSpec, graphSpec, LIVE, SECRET } from "./random-graph.ts";

/** A storage that outlives processes, and what lies in it. */
export interface Storage {
  open(): object;
  bytes(): string;
}

export const storages: Readonly<Record<string, () => Storage>> = {
  SqliteSaver: (): Storage => {
    const db = new Database(":memory:");
    return { open: () => new SqliteSaver(db), bytes: () => db.serialize().toString("latin1") };
  },
  "withAllowlist over MemorySaver": (): Storage => {
    const memory = new MemorySaver();
    return {
      open: () => memory,
      bytes: () => unsealed(JSON.stringify(plain([memory.storage, memory.writes]))),
    };
  },
};

/** Bytes as text, and what is sealed in text opened. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, item]) => [key, plain(item)]);
}

function unsealed(text: string): string {
  return text.replace(/threadkeep:1:[a-z+]+:([A-Za-z0-9+/=]+)/g, (_all, body: string) =>
    Buffer.from(body, "base64").toString("latin1"),
  );
}

export type Action =
  | { readonly kind: "input" }
  | { readonly kind: "resume" }
  | { readonly kind: "resume with update" }
  | { readonly kind: "command" }
  | { readonly kind: "update" }
  | { readonly kind: "fork"; readonly back: number }
  | { readonly kind: "replay"; readonly back: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom("input", "resume", "resume with update", "update") }),
  { weight: 2, arbitrary: fc.constant({ kind: "command" }) },
  fc.record({ kind: fc.constantFrom("fork", "replay"), back: fc.nat(5) }),
) as fc.Arbitrary<Action>;

export interface Scenario {
  readonly graph: GraphSpec;
  readonly script: readonly Action[];
  readonly durability: "sync" | "async" | "exit";
}

export const scenario = (steps: number): fc.Arbitrary<Scenario> =>
  fc.record({
    graph: graphSpec(steps),
    script: fc
      .array(action, { minLength: 1, maxLength: steps - 1 })
      .map((more) => [{ kind: "input" } as Action, ...more]),
    durability: fc.constantFrom("sync", "async", "exit"),
  });

/** What every task saw, by its id, over all lives. */
export class Memory {
  readonly seen: Map<string, { readonly node: string; readonly args: unknown }> = new Map();
  readonly differences: string[] = [];
  repeats: number = 0;
  /**
   * What a node changed in place without writing it is nobody's value, other than in what it sent.
   * What comes along with a resume is shown to the resumed node by LangGraph itself.
   */
  readonly #onlySends: boolean;

  constructor({ graph, script }: Scenario) {
    this.#onlySends =
      graph.flat().some(({ mutates }) => mutates !== undefined) ||
      script.some(({ kind }) => kind === "resume with update");
  }

  witness(taskId: string, node: string, args: Record<string, unknown>): void {
    const now = { node, args: snapshot(args) };
    const before = this.seen.get(taskId);
    if (before === undefined) {
      this.seen.set(taskId, now);
      return;
    }
    this.repeats++;
    if (this.#onlySends && /^n\d/.test(node)) return;
    try {
      expect(now).toEqual(before);
    } catch (error) {
      this.differences.push(`${(error as Error).message}\n${JSON.stringify([before, now])}`);
    }
  }
}

/** Untracked state aside, at any depth. */
function snapshot(args: Record<string, unknown>): unknown {
  const { session: _session, deep: _deep, ...rest } = args;
  return structuredClone(rest);
}

const thread = { configurable: { thread_id: "1" } };

/** Run a scenario to its end, in two lives when the first one is cut short. */
export async function play(
  { graph: spec, script, durability }: Scenario,
  storage: Storage,
  memory: Memory,
  point: CrashPoint | undefined,
): Promise<number> {
  const first: Life = { calls: 0, isOver: false };
  let life = first;
  let graph = begin(point);
  for (const action of script) {
    try {
      await act(graph, action);
    } catch (error) {
      rethrowUnexpected(error);
      if (life.isOver) {
        graph = begin(undefined);
        await recover(graph, action);
      }
    }
  }
  await finish();
  return first.calls;

  function begin(crash: CrashPoint | undefined): LooseCompiled {
    const own: Life = life.isOver ? { calls: 0, isOver: false } : life;
    life = own;
    const saver = crashing(storage.open(), own, crash, watchSends);
    const witness: Memory["witness"] = (...task) => own.isOver || memory.witness(...task);
    return withAllowlist(buildGraph(spec, witness, saver) as LooseCompiled & object);
  }

  async function act(compiled: LooseCompiled, action: Action): Promise<void> {
    const config = { ...thread, durability };
    switch (action.kind) {
      case "input":
        await compiled.invoke({ history: [{ id: 0, text: "in" }], token: `${SECRET}in` }, config);
        return;
      case "resume":
        await compiled.invoke(new Command({ resume: "yes" }), config);
        return;
      case "resume with update":
      case "command": {
        const update = { token: `${SECRET}up`, history: [{ id: 1, text: "up" }] };
        const resume = action.kind === "command" ? {} : { resume: "yes" };
        await compiled.invoke(new Command({ ...resume, update }), config);
        return;
      }
      case "update":
        await compiled.updateState(thread, { token: `${SECRET}update`, plain: 1 }, "n0_0");
        return;
      case "fork":
      case "replay": {
        const past = [];
        for await (const state of compiled.getStateHistory(thread)) past.push(state.config);
        const at = past[Math.min(action.back, past.length - 1)];
        if (at === undefined) return;
        const target =
          action.kind === "fork" ? await compiled.updateState(at, null, "__copy__") : at;
        await compiled.invoke(null, { ...target, durability });
      }
    }
  }

  /** What a person does after a crash: go on, or begin again when nothing was stored. */
  async function recover(compiled: LooseCompiled, action: Action): Promise<void> {
    const state = await compiled.getState(thread);
    try {
      if (state.config === undefined || !hasCheckpoint(state.config)) await act(compiled, action);
      else await compiled.invoke(null, { ...thread, durability });
    } catch (error) {
      rethrowUnexpected(error);
    }
  }

  async function finish(): Promise<void> {
    for (let i = 0; i < 6; i++) {
      if (life.isOver) graph = begin(undefined);
      try {
        const state = await graph.getState(thread);
        if (state.next.length === 0) return;
        await graph.invoke(new Command({ resume: "yes" }), { ...thread, durability });
      } catch (error) {
        rethrowUnexpected(error);
      }
    }
  }
}

function hasCheckpoint(config: object): boolean {
  return (
    (config as { configurable?: { checkpoint_id?: string } }).configurable?.checkpoint_id !==
    undefined
  );
}

/** A crash, an error with a code of ours, and LangGraph's own refusals are fine. */
function rethrowUnexpected(error: unknown): void {
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  for (const each of errors) {
    if (each instanceof Crash) continue;
    const name = (each as Error).name;
    if (
      name === "InvalidUpdateError" ||
      name === "EmptyInputError" ||
      name === "GraphRecursionError"
    )
      continue;
    if (SerdeError.is(each) || SaverError.is(each))
      throw new Error(`refused with ${each.code}: ${each.message}`, { cause: each });
    throw each;
  }
}

const reader = new MsgpackSerializer();

/** No private value may stand in a Send that goes into storage. */
function watchSends(method: string, args: readonly unknown[]): void {
  const stored =
    method === "put"
      ? [(args[1] as { channel_values: Record<string, unknown> }).channel_values.__pregel_tasks]
      : method === "putWrites"
        ? (args[1] as [string, unknown][])
            .filter(([channel]) => channel === "__pregel_tasks")
            .map(([, value]) => value)
        : [];
  for (const value of stored) {
    if (value === undefined) continue;
    const text =
      typeof value === "string"
        ? unsealed(value)
        : Buffer.from(reader.dumps(value)).toString("latin1");
    expect(text).not.toContain(SECRET);
  }
}

export function assertNoLive(storage: Storage): void {
  const bytes = storage.bytes();
  const at = bytes.indexOf(LIVE);
  expect(at === -1 ? "" : bytes.slice(Math.max(0, at - 300), at + 50)).toBe("");
}
