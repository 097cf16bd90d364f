import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  MemorySaver,
} from "@langchain/langgraph-checkpoint";

/**
 * Keeps values apart from checkpoints, by channel and version, as LangGraph's PostgreSQL saver does:
 * a value is stored when its version is new, once, and found by its version.
 */
export class BlobSaver extends MemorySaver {
  readonly #blobs = new Map<string, unknown>();

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    for (const [channel, version] of Object.entries(newVersions ?? {})) {
      const key = keyOf(config, channel, version);
      if (Object.hasOwn(checkpoint.channel_values, channel) && !this.#blobs.has(key))
        this.#blobs.set(key, checkpoint.channel_values[channel]);
    }
    return super.put(config, { ...checkpoint, channel_values: {} }, metadata);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const tuple = await super.getTuple(config);
    return tuple === undefined ? undefined : this.#filled(tuple);
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    for await (const tuple of super.list(config, options)) yield this.#filled(tuple);
  }

  #filled(tuple: CheckpointTuple): CheckpointTuple {
    const { checkpoint, config } = tuple;
    const values = Object.entries(checkpoint.channel_versions).flatMap(([channel, version]) => {
      const key = keyOf(config, channel, version);
      return this.#blobs.has(key) ? [[channel, this.#blobs.get(key)] as const] : [];
    });
    return { ...tuple, checkpoint: { ...checkpoint, channel_values: Object.fromEntries(values) } };
  }
}

function keyOf({ configurable = {} }: RunnableConfig, channel: string, version: unknown): string {
  return JSON.stringify([
    configurable.thread_id,
    configurable.checkpoint_ns ?? "",
    channel,
    version,
  ]);
}
