import type { ChannelVersions, Checkpoint } from "@langchain/langgraph-checkpoint";
import { sendsIn } from "@threadkeep/serde/policy";
import type { ConfigLike } from "../config.ts";
import { TASKS } from "../langgraph.ts";

/** How many checkpoints are remembered: those that running tasks may still write to. */
const REMEMBERED = 64;

/** What is known of a checkpoint that was stored or loaded by this process. */
export interface KnownCheckpoint {
  readonly versions: ChannelVersions;
  /** The objects of its channels as the run has them; they may have been changed in place since. */
  readonly objects: ReadonlyMap<string, WeakRef<object>>;
  readonly hasSends: boolean;
  /** Tasks of which writes are stored already: savers keep a task's first ones. */
  readonly written: Set<string>;
}

/** Checkpoints that writes may refer to, the latest ones. Values are held weakly. */
export class KnownCheckpoints {
  readonly #known = new Map<string, KnownCheckpoint>();

  /** `asksForObjects` where whoever stores Sends compares them with the objects of channels. */
  note(
    config: ConfigLike,
    { channel_values: values, channel_versions: versions }: Checkpoint,
    written: Iterable<string>,
    asksForObjects: boolean,
  ): void {
    const objects = asksForObjects ? weakly(values) : NONE;
    const hasSends = sendsIn(values[TASKS]).length > 0;
    const key = keyOf(config);
    this.#known.delete(key);
    this.#known.set(key, { versions, objects, hasSends, written: new Set(written) });
    if (this.#known.size > REMEMBERED)
      this.#known.delete(this.#known.keys().next().value as string);
  }

  find(config: ConfigLike): KnownCheckpoint | undefined {
    return this.#known.get(keyOf(config));
  }
}

const NONE: ReadonlyMap<string, WeakRef<object>> = new Map();

function weakly(values: Readonly<Record<string, unknown>>): Map<string, WeakRef<object>> {
  const objects = new Map<string, WeakRef<object>>();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "object" && value !== null) objects.set(name, new WeakRef(value));
  }
  return objects;
}

/** Savers take no ids with NUL. */
function keyOf({ configurable = {} }: ConfigLike): string {
  const { thread_id: thread, checkpoint_ns: ns = "", checkpoint_id: id } = configurable;
  return `${String(thread)}\0${String(ns)}\0${String(id)}`;
}
