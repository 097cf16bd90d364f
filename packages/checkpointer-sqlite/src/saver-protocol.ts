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
    hooks?: WriteHooks,
  ): Promise<void>;
  withAllowlist(types: Types): ThreadkeepSaver;
}

/** The property that tells a {@link ThreadkeepSaver}, also from another copy of this package. */
export const SAVER_BRAND: unique symbol = Symbol.for("threadkeep.saver");

export function isThreadkeepSaver(value: unknown): value is ThreadkeepSaver {
  return typeof value === "object" && value !== null && SAVER_BRAND in value;
}
