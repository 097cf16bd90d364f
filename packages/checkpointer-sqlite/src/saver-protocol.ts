import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  BaseCheckpointSaver,
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { Types, WriteHooks } from "@threadkeep/serde";
import type { ChannelVersion } from "./next-version.ts";

/** Any saver of LangGraph. */
export type AnySaver =
  | BaseCheckpointSaver<ChannelVersion>
  | BaseCheckpointSaver<number>
  | BaseCheckpointSaver<string>;

/** What a hardened graph adds to a write. */
export interface SaverHooks extends WriteHooks {
  /** Values that the writes refer to, stored before them or with them, as a write of their own. */
  readonly aside?: Readonly<Record<string, unknown>>;
}

/** A value of a channel as savers know it. */
export interface StoredAt {
  readonly threadId: string;
  readonly ns: string;
  readonly channel: string;
  readonly version: ChannelVersion;
}

/**
 * A saver of this package: its serializer is ours, and its writes take what must be left out along
 * with the values.
 */
export interface ThreadkeepSaver extends BaseCheckpointSaver {
  /** `live` gives objects for the untracked keys of waiting Sends. */
  getTuple(
    config: RunnableConfig,
    live?: Readonly<Record<string, unknown>>,
  ): Promise<CheckpointTuple | undefined>;
  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
    hooks?: WriteHooks,
  ): Promise<RunnableConfig>;
  putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
    hooks?: SaverHooks,
  ): Promise<void>;
  /** Parts of values are stored once, wherever they stand: a copy costs references. */
  readonly sharesParts?: boolean;
  /**
   * Whether what lies under a channel's version is exactly this value. Answers at once, before the
   * value can change; `false` may also mean that it can't be told.
   */
  holds(at: StoredAt, value: unknown, hooks: WriteHooks): boolean;
  withAllowlist(types: Types): ThreadkeepSaver;
}

/** The property that tells a {@link ThreadkeepSaver}, also from another copy of this package. */
export const SAVER_BRAND: unique symbol = Symbol.for("threadkeep.saver");

export function isThreadkeepSaver(value: unknown): value is ThreadkeepSaver {
  return typeof value === "object" && value !== null && SAVER_BRAND in value;
}
