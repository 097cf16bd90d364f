import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type Types, type WriteHooks } from "@threadkeep/serde";
import {
  checkText,
  type ConfigLike,
  readAddress,
  readCheckpointAddress,
  requireId,
} from "./config.ts";
import { SaverError } from "./errors.ts";
import { nextVersion } from "./next-version.ts";
import {
  type AnySaver,
  isThreadkeepSaver,
  SAVER_BRAND,
  type ThreadkeepSaver,
} from "./saver-protocol.ts";

/** Options of {@link wrapSaver}. */
export interface WrapSaverOptions {
  /** @defaultValue a `MsgpackSerializer` in strict mode */
  readonly serializer?: MsgpackSerializer;
}

/**
 * Any LangGraph saver, with values kept exactly: each one travels sealed as our payload in text, so
 * the saver and its own serializer only ever see strings. Metadata stays as it is.
 *
 * Rows that the saver wrote without the wrapper still load.
 *
 * @throws {@link SaverError} `unsupported` when the saver is one of this package, or no saver
 *
 * @example
 * ```ts
 * const graph = builder.compile({ checkpointer: wrapSaver(new MemorySaver()) });
 * ```
 */
export function wrapSaver(saver: AnySaver, options: WrapSaverOptions = {}): ThreadkeepSaver {
  if (isThreadkeepSaver(saver))
    throw new SaverError(
      "unsupported",
      "This saver keeps values exactly already; it needs no wrapper",
    );
  if (typeof saver?.getTuple !== "function" || typeof saver.putWrites !== "function") {
    throw new SaverError("unsupported", "wrapSaver takes a LangGraph checkpoint saver");
  }
  return new WrappedSaver(
    saver as BaseCheckpointSaver,
    options.serializer ?? new MsgpackSerializer(),
  );
}

class WrappedSaver extends BaseCheckpointSaver implements ThreadkeepSaver {
  readonly #saver: BaseCheckpointSaver;
  readonly #serializer: MsgpackSerializer;

  constructor(saver: BaseCheckpointSaver, serializer: MsgpackSerializer) {
    super(serializer);
    this.#saver = saver;
    this.#serializer = serializer;
    Object.defineProperty(this, SAVER_BRAND, { value: true });
  }

  withAllowlist(types: Types): ThreadkeepSaver {
    const serializer = this.#serializer.withAllowlist(types);
    return serializer === this.#serializer ? this : new WrappedSaver(this.#saver, serializer);
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const tuple = await this.#saver.getTuple(config);
    return tuple === undefined ? undefined : this.#open(tuple);
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    for await (const tuple of this.#saver.list(config, options)) yield this.#open(tuple);
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
    hooks?: WriteHooks,
  ): Promise<RunnableConfig> {
    readAddress(config as ConfigLike);
    requireId("checkpoint.id", checkpoint.id);
    const values = Object.entries(checkpoint.channel_values)
      .filter(([, value]) => value !== undefined)
      .map(([channel, value]) => [channel, this.#seal(channel, value, hooks)]);
    return this.#saver.put(
      config,
      { ...checkpoint, channel_values: Object.fromEntries(values) },
      metadata,
      newVersions,
    );
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
    hooks?: WriteHooks,
  ): Promise<void> {
    const { ns } = readCheckpointAddress(config as ConfigLike);
    const sealed = writes.map(([channel, value]): PendingWrite => [
      checkText("channel", channel),
      this.#seal(channel, value, hooks),
    ]);
    const address = { ...config, configurable: { ...config.configurable, checkpoint_ns: ns } };
    await this.#saver.putWrites(address, sealed, requireId("taskId", taskId), taskPath);
  }

  override deleteThread(threadId: string): Promise<void> {
    return this.#saver.deleteThread(requireId("threadId", threadId));
  }

  override getNextVersion(current: number | undefined): number {
    return nextVersion(current);
  }

  override toJSON(): string {
    return "[WrappedSaver]";
  }

  #seal(channel: string, value: unknown, hooks: WriteHooks | undefined): string {
    const { tag, bytes } = this.#serializer.write(value, { ...hooks, at: [channel] });
    return `${SEAL}${tag}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
  }

  #open(tuple: CheckpointTuple): CheckpointTuple {
    const { checkpoint, pendingWrites } = tuple;
    const values = Object.entries(checkpoint.channel_values).map(
      ([channel, value]) => [channel, this.#unseal(value)] as const,
    );
    return {
      ...tuple,
      checkpoint: { ...checkpoint, channel_values: Object.fromEntries(values) },
      ...(pendingWrites === undefined
        ? {}
        : {
            pendingWrites: pendingWrites.map(([taskId, channel, value]) => [
              taskId,
              channel,
              this.#unseal(value),
            ]),
          }),
    };
  }

  /** A value that was stored without the wrapper is what the saver gives. */
  #unseal(value: unknown): unknown {
    const match = typeof value === "string" ? SEALED.exec(value) : null;
    if (match === null) return value;
    return this.#serializer.read(match[1] as string, Buffer.from(match[2] as string, "base64"));
  }
}

/** What a sealed value starts with: the form's version and the payload's tag follow. */
const SEAL = "threadkeep:1:";
const SEALED = /^threadkeep:1:(msgpack(?:\+[a-z]+)*):([A-Za-z0-9+/]*={0,2})$/;
