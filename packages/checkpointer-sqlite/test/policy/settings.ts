import { Annotation, ReducedValue, StateSchema, UntrackedValue } from "@langchain/langgraph";
import { withLangGraph } from "@langchain/langgraph/zod";
import { untracked } from "@threadkeep/serde/policy";
import * as z from "zod";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { type Session, sessions } from "./sessions.ts";
import { type Storage, storages } from "./storages.ts";

export interface State {
  readonly session?: Session;
  readonly log?: readonly string[];
  readonly more?: unknown;
}

const lastWins = (_old: unknown, value: unknown): unknown => value;

const concat = {
  reducer: (old: string[], more: string[]) => [...old, ...more],
  default: (): string[] => [],
};

const states = {
  "a marked field": () =>
    Annotation.Root({
      session: untracked(Annotation<unknown>({ reducer: lastWins })),
      log: Annotation<string[]>(concat),
      more: Annotation<unknown>({ reducer: lastWins }),
    }),
  "a marked Zod field": () =>
    z.object({
      session: withLangGraph(untracked(z.any()), { reducer: { fn: lastWins } }),
      log: withLangGraph(z.array(z.string()), {
        reducer: { fn: concat.reducer },
        default: concat.default,
      }),
      more: withLangGraph(z.any(), { reducer: { fn: lastWins } }),
    }),
  UntrackedValue: () =>
    new StateSchema({
      session: new UntrackedValue(z.any(), { guard: false }),
      log: new ReducedValue(z.array(z.string()).default([]), { reducer: concat.reducer }),
      more: new ReducedValue(z.any(), { reducer: lastWins }),
    }),
};

export class Box {
  readonly label: string;
  readonly content: unknown;
  constructor(label: string, content: unknown) {
    this.label = label;
    this.content = content;
  }
}

const opened: Storage[] = [];

/** Close what the last test opened. */
export const closeAll = (): Promise<unknown> =>
  Promise.all(opened.splice(0).map((storage) => storage.close()));

/** What one test is made of: states, live objects, graphs over one storage. */
export interface Setting {
  readonly storage: Storage;
  readonly config: { configurable: { thread_id: string }; durability: "sync" | "async" | "exit" };
  readonly open: () => Session;
  builder(): LooseBuilder;
  compile(builder: LooseBuilder, options?: object): LooseCompiled;
}

type Durability = "sync" | "async" | "exit";

const durabilities = ["sync", "async", "exit"] as const;

/** With more than one round all of them together; else each durability with each state and kind. */
const isLong = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1) > 1;

export const settings: readonly { readonly name: string; set(): Setting }[] = Object.entries(
  storages,
).flatMap(([storage, openStorage], h) =>
  Object.entries(states).flatMap(([state, declare], i) =>
    Object.entries(sessions).flatMap(([kind, session], j) =>
      durabilities
        .filter((_durability, k) => isLong || k === (h + i + j) % 3)
        .map((durability) => ({
          name: `${state}, ${kind}, ${storage}, ${durability}`,
          set: () => setUp(openStorage(), declare, session, durability),
        })),
    ),
  ),
);

function setUp(
  storage: Storage,
  declare: () => unknown,
  { open, types }: (typeof sessions)[string],
  durability: Durability,
): Setting {
  opened.push(storage);
  return {
    storage,
    open,
    config: { configurable: { thread_id: "1" }, durability },
    builder: () => looseGraph(declare()),
    compile: (builder, options = {}) =>
      withAllowlist(builder.compile({ checkpointer: storage.open(), ...options }), {
        types: { ...types, Box },
      } as object) as LooseCompiled,
  };
}

/** A node that uses the live object. */
export const uses = ({ session }: State): object => ({ log: [session?.run() ?? "no session"] });
