import { Annotation, interrupt } from "@langchain/langgraph";
import { MsgpackSerializer } from "@threadkeep/serde";
import { privateState, untracked } from "@threadkeep/serde/policy";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { crashing, type CrashPoint, type Life } from "../resume/crashing.ts";
import { type Storage, unsealed } from "./storages.ts";

/** Stands in every private value, and must not be found in a stored Send. */
export const SECRET = "private-4f21";

export type Args = Record<string, unknown>;

let count = 0;
/** A private value that is like no other. */
export const secret = (): string => `${SECRET}-${++count}`;

const lastWins = (_old: unknown, value: unknown): unknown => value;
const concat = {
  reducer: (old: unknown[], more: unknown[]) => [...old, ...more],
  default: (): unknown[] => [],
};

const State: unknown = Annotation.Root({
  token: privateState(Annotation<unknown>({ reducer: lastWins })),
  once: privateState(Annotation<unknown>()),
  vault: privateState(
    Annotation<unknown>({ reducer: (_old, value) => ({ ...(value as object), stamp: ++count }) }),
  ),
  session: untracked(Annotation<unknown>()),
  plain: Annotation<unknown>(),
  history: Annotation<unknown[]>(concat),
  log: Annotation<unknown[]>(concat),
});

const reader = new MsgpackSerializer();

/** Everything that goes into storage as a Send, as text. */
function sentTexts(method: string, args: readonly unknown[]): string[] {
  const values =
    method === "put"
      ? [(args[1] as { channel_values: Args }).channel_values.__pregel_tasks]
      : (args[1] as [string, unknown][])
          .filter(([channel]) => channel === "__pregel_tasks")
          .map(([, value]) => value);
  return values
    .filter((value) => value !== undefined)
    .map((value) =>
      typeof value === "string"
        ? unsealed(value)
        : Buffer.from(reader.dumps(value)).toString("latin1"),
    );
}

/** Processes over one storage, with a node `work` that waits for a person. */
export class Processes {
  /** What each start of the node was sent. */
  readonly seen: Args[] = [];
  /** What went into storage as a Send, as text. */
  readonly sent: string[] = [];
  readonly storage: Storage;
  readonly #taskIds = new WeakMap<Args, unknown>();

  constructor(storage: Storage) {
    this.storage = storage;
  }

  /** A graph in a process that dies at a certain call of its saver. */
  start(build: (builder: LooseBuilder) => LooseBuilder, point?: CrashPoint): LooseCompiled {
    return this.compile(build, this.watched({ calls: 0, isOver: false }, point));
  }

  /** A saver that counts its calls, and dies at one of them. */
  watched(life: Life, point?: CrashPoint): object {
    return crashing(this.storage.open(), life, point, (method, args) => {
      if (method !== "getTuple") this.sent.push(...sentTexts(method, args));
    });
  }

  compile(build: (builder: LooseBuilder) => LooseBuilder, checkpointer: object): LooseCompiled {
    const work = (args: Args, { configurable }: { configurable: Args }): object => {
      const copy = structuredClone({ ...args, session: undefined });
      this.seen.push(copy);
      this.#taskIds.set(copy, configurable.__pregel_task_id);
      return { log: [interrupt("go on?")] };
    };
    const builder = build(looseGraph(State)).addNode("work", work).addEdge("work", "__end__");
    return withAllowlist(builder.compile({ checkpointer }) as LooseCompiled & object);
  }

  /** What was seen since the last time. */
  take(): Args[] {
    return this.seen.splice(0);
  }

  /** Whether the same task saw both. */
  isSameTask(a: Args, b: Args): boolean {
    return this.#taskIds.get(a) === this.#taskIds.get(b);
  }
}
