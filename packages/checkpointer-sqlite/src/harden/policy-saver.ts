import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import type { WriteHooks } from "@threadkeep/serde";
import {
  type ResourceHost,
  type StatePolicy,
  stripValues,
  stripWrites,
} from "@threadkeep/serde/policy";
import type { ThreadkeepSaver } from "../saver-protocol.ts";

/** A graph's own view of a saver: nothing untracked gets in, live objects of the thread come out. */
export class PolicySaver extends BaseCheckpointSaver {
  readonly saver: ThreadkeepSaver;
  readonly #policy: StatePolicy;
  readonly #hosts: readonly ResourceHost[];
  readonly #hooks: WriteHooks;

  constructor(saver: ThreadkeepSaver, policy: StatePolicy, hosts: readonly ResourceHost[]) {
    super(saver.serde);
    this.saver = saver;
    this.#policy = policy;
    this.#hosts = hosts;
    this.#hooks = { omit: (value) => policy.live.has(value) };
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const tuple = await this.saver.getTuple(config);
    const threadId: unknown = config.configurable?.thread_id;
    if (tuple === undefined || typeof threadId !== "string") return tuple;
    for (const host of this.#hosts) inject(tuple, host.peek(threadId));
    return tuple;
  }

  override list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    return this.saver.list(config, options);
  }

  override put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const stripped = {
      ...checkpoint,
      channel_values: stripValues(checkpoint.channel_values, this.#policy),
    };
    return this.saver.put(config, stripped, metadata, newVersions, this.#hooks);
  }

  override putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void> {
    return this.saver.putWrites(
      config,
      stripWrites(writes, this.#policy),
      taskId,
      taskPath,
      this.#hooks,
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.saver.deleteThread(threadId);
    for (const host of this.#hosts) await host.dispose(threadId);
  }

  override getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    return this.saver.getDeltaChannelHistory(options);
  }

  override getNextVersion(current: number | undefined): number {
    return this.saver.getNextVersion(current);
  }
}

/** Put live objects where the run would have them: the channel, and the args of waiting Sends. */
function inject(tuple: CheckpointTuple, live: Readonly<Record<string, unknown>>): void {
  const { channel_values: values } = tuple.checkpoint;
  const waiting =
    tuple.pendingWrites?.filter(([, channel]) => channel === TASKS).map(([, , send]) => send) ?? [];
  const stored = values[TASKS];
  const sends = [...waiting, ...(Array.isArray(stored) ? stored : [])] as unknown[];
  for (const [key, object] of Object.entries(live)) {
    values[key] = object;
    for (const send of sends) {
      const args = (send as { args?: unknown } | null)?.args;
      if (typeof args === "object" && args !== null && !Array.isArray(args) && !(key in args)) {
        (args as Record<string, unknown>)[key] = object;
      }
    }
  }
}
