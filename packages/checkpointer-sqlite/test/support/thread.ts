import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  uuid6,
} from "@langchain/langgraph-checkpoint";

type Values = Record<string, unknown>;
type Versions = Record<string, number | string>;

let clock = 0;

/** A checkpoint with these values; every channel gets its version from `versions`, 1 by default. */
export function checkpointOf(values: Values, fields: Partial<Checkpoint> = {}): Checkpoint {
  return {
    v: 4,
    id: uuid6(clock++ & 0x3fff),
    ts: new Date().toISOString(),
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((channel) => [channel, 1])),
    versions_seen: {},
    ...fields,
  };
}

export function thread(threadId: string, ns?: string): RunnableConfig {
  return {
    configurable: { thread_id: threadId, ...(ns === undefined ? {} : { checkpoint_ns: ns }) },
  };
}

export const METADATA: CheckpointMetadata = { source: "loop", step: 1, parents: {} };

/** Stores steps of one thread, as a graph's loop does. */
export class Steps {
  readonly #saver: BaseCheckpointSaver;
  #versions: Versions = {};
  config: RunnableConfig;

  constructor(saver: BaseCheckpointSaver, config: RunnableConfig) {
    this.#saver = saver;
    this.config = config;
  }

  /** Store a checkpoint in which the channels of `changed` have new values. */
  async step(
    values: Values,
    changed: readonly string[] = Object.keys(values),
    fields: Partial<Checkpoint> = {},
  ): Promise<RunnableConfig> {
    const newVersions = Object.fromEntries(
      changed.map((channel) => [
        channel,
        this.#saver.getNextVersion(this.#versions[channel] as number | undefined),
      ]),
    );
    this.#versions = { ...this.#versions, ...newVersions };
    const checkpoint = checkpointOf(values, {
      channel_versions: this.#versions as never,
      ...fields,
    });
    this.config = await this.#saver.put(this.config, checkpoint, METADATA, newVersions as never);
    return this.config;
  }

  /** A second line of steps from here. */
  fork(): Steps {
    const fork = new Steps(this.#saver, this.config);
    fork.#versions = { ...this.#versions };
    return fork;
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function idOf(config: RunnableConfig | undefined): string {
  return config?.configurable?.checkpoint_id as string;
}

export async function valuesOf(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
): Promise<Values | undefined> {
  return (await saver.getTuple(config))?.checkpoint.channel_values;
}

/** Whatever a call throws. */
export async function caught(work: () => Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await work();
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error("nothing was thrown");
}

export async function latest(
  saver: BaseCheckpointSaver,
  config: RunnableConfig,
): Promise<CheckpointTuple> {
  const tuple = await saver.getTuple(config);
  if (tuple === undefined) throw new Error("no checkpoint");
  return tuple;
}
