import type { RunnableConfig } from "@langchain/core/runnables";
import type { ChannelVersions, Checkpoint, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { TASKS } from "@threadkeep/serde/policy";
import { suggest } from "../check-options.ts";
import type { ConfigLike } from "../config.ts";
import { SaverError } from "../errors.ts";
import type { ChannelVersion } from "../next-version.ts";
import {
  type Change,
  changeValues,
  changeWrites,
  isStateChannel,
  type PendingWrite,
  stateOf,
} from "./parts.ts";
import {
  changedVersions,
  markedVersion,
  markOfWrites,
  stamped,
  stampOf,
  withNewVersions,
} from "./stamp.ts";
import { readVersion } from "./read-steps.ts";
import type { StatePart, StateRecord, StateStep } from "./steps.ts";
import { takeStep } from "./take-step.ts";

/** The version of a graph's state, and how older ones become it. */
export interface StateVersion {
  /** Counts up with each change of the state's fields, from 1 on. */
  readonly version: number;
  /** A step for each version before this one, by the version that it starts from. */
  readonly migrate?: Readonly<Record<number, StateStep>>;
}

/** Checkpoints that are remembered as up to date; writes to others carry their version. */
const REMEMBERED = 1024;

/** Takes a graph's own checkpoints from the version that they were stored in to the present one. */
export class StateDrift {
  readonly #version: number;
  readonly #steps: readonly StateStep[];
  readonly #fields: ReadonlySet<string> | undefined;
  readonly #current = new Set<string>();

  /**
   * `fields` are those that the graph has.
   *
   * @throws {@link SaverError} `invalid_options`
   */
  constructor(state: StateVersion = { version: 1 }, fields?: ReadonlySet<string>) {
    const { version, steps } = readVersion(state, fields);
    this.#version = version;
    this.#steps = steps;
    this.#fields = fields;
  }

  /**
   * What was loaded, as the present code would have stored it.
   *
   * @throws {@link SaverError} `newer_version`, `migration_failed`
   */
  upToDate(
    tuple: CheckpointTuple,
    nextVersion: (current: ChannelVersion | undefined) => ChannelVersion,
  ): CheckpointTuple {
    const { checkpoint, config, pendingWrites = [] } = tuple;
    const from = stampOf(checkpoint);
    const marked = pendingWrites.some((write) => markedVersion(write) !== undefined);
    this.#check(from, config);
    if (from === this.#version && !marked) {
      this.#remember(config, checkpoint.id);
      return from === 1 ? tuple : { ...tuple, checkpoint: stamped(checkpoint, 1) };
    }
    return {
      ...tuple,
      checkpoint:
        from === this.#version
          ? stamped(checkpoint, 1)
          : this.#change(checkpoint, this.#changeFrom(from, config), nextVersion),
      pendingWrites: this.#changeAll(pendingWrites, from, config),
    };
  }

  /** A checkpoint as it is to be stored, with the versions of the channels that have to be. */
  toStore(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    newVersions: ChannelVersions,
  ): readonly [Checkpoint, ChannelVersions] {
    this.#remember(config, checkpoint.id);
    const versions = { ...changedVersions(checkpoint), ...newVersions };
    return [stamped(checkpoint, this.#version), versions];
  }

  /** Writes as they are to be stored: those to a checkpoint of another version say their own. */
  writesToStore(
    config: RunnableConfig,
    writes: readonly [channel: string, value: unknown][],
  ): [channel: string, value: unknown][] {
    const { configurable = {} } = config;
    const known =
      this.#version === 1 || this.#current.has(keyOf(config, configurable.checkpoint_id));
    if (known || !writes.some(([channel]) => isStateChannel(channel) || channel === TASKS))
      return [...writes];
    return [...writes, markOfWrites(this.#version)];
  }

  #change(
    checkpoint: Checkpoint,
    change: Change,
    nextVersion: (current: ChannelVersion | undefined) => ChannelVersion,
  ): Checkpoint {
    const before = stateOf(checkpoint.channel_values);
    const values = changeValues(checkpoint.channel_values, change);
    return withNewVersions(
      { ...checkpoint, channel_values: values },
      before,
      stateOf(values),
      nextVersion,
    );
  }

  /** Each task's writes, in the order in which they were; of its own version where that is marked. */
  #changeAll(
    writes: readonly PendingWrite[],
    from: number,
    config: RunnableConfig,
  ): PendingWrite[] {
    const byTask = new Map<string, PendingWrite[]>();
    for (const write of writes) {
      const own = byTask.get(write[0]);
      if (own === undefined) byTask.set(write[0], [write]);
      else own.push(write);
    }
    return [...byTask.values()].flatMap((own) => {
      const version = own.map(markedVersion).find((mark) => mark !== undefined) ?? from;
      this.#check(version, config);
      const kept = own.filter((write) => markedVersion(write) === undefined);
      return version === this.#version
        ? kept
        : changeWrites(kept, this.#changeFrom(version, config));
    });
  }

  #changeFrom(from: number, config: RunnableConfig): Change {
    return (state, part) => {
      let next = state;
      for (let version = from; version < this.#version; version++) {
        try {
          next = takeStep(this.#steps[version - 1] as StateStep, next, part);
        } catch (error) {
          const { message, cause = error } = error as SaverError;
          throw failed(config, version, version + 1, message, { cause });
        }
      }
      const lost = this.#lostIn(next, state, part);
      if (lost !== undefined) {
        const why = `the graph has no field ${JSON.stringify(lost)}${suggest(lost, this.#fields ?? [])}, and its value would be lost; rename, split or remove it in a step`;
        throw failed(config, from, this.#version, why);
      }
      return next;
    };
  }

  /** A field that the graph would pass over. What is sent may hold more than fields, and so may an input. */
  #lostIn(next: StateRecord, before: StateRecord, { kind }: StatePart): string | undefined {
    const fields = this.#fields;
    if (fields === undefined || kind === "send") return undefined;
    return Object.keys(next).find(
      (name) => !fields.has(name) && !(kind === "input" && Object.hasOwn(before, name)),
    );
  }

  #check(found: number, config: RunnableConfig): void {
    if (found <= this.#version) return;
    throw new SaverError(
      "newer_version",
      `${placeOf(config)}: its state has version ${found}, and this graph knows version ${this.#version}; run the code that wrote it, or newer`,
    );
  }

  #remember(config: ConfigLike, checkpointId: unknown): void {
    // Of the first version every checkpoint is.
    if (this.#version === 1) return;
    const key = keyOf(config, checkpointId);
    this.#current.delete(key);
    this.#current.add(key);
    if (this.#current.size > REMEMBERED) {
      const [oldest] = this.#current;
      this.#current.delete(oldest as string);
    }
  }
}

function keyOf({ configurable = {} }: ConfigLike, checkpointId: unknown): string {
  return JSON.stringify([configurable.thread_id, configurable.checkpoint_ns ?? "", checkpointId]);
}

function placeOf({ configurable = {} }: ConfigLike): string {
  const ns = configurable.checkpoint_ns;
  const within = typeof ns === "string" && ns !== "" ? `, namespace ${JSON.stringify(ns)}` : "";
  return `Thread ${JSON.stringify(configurable.thread_id)}${within}, checkpoint ${String(configurable.checkpoint_id)}`;
}

function failed(
  config: ConfigLike,
  from: number,
  to: number,
  why: string,
  options?: ErrorOptions,
): SaverError {
  const message = `${placeOf(config)}: its state can't be taken from version ${from} to ${to}: ${why}`;
  return new SaverError("migration_failed", message, options);
}
