// The savers that are measured beside each other.

import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  MemorySaver,
} from "@langchain/langgraph-checkpoint";
import { SqliteSaver as StockSaver } from "@langchain/langgraph-checkpoint-sqlite";

const built = new URL("../dist/index.mjs", import.meta.url).href;
const { SqliteSaver, withAllowlist } = (await import(built)) as typeof import("../src/index.ts");

export interface Stack {
  readonly name: string;
  readonly open: (file: string) => { saver: BaseCheckpointSaver; close: () => void };
  /** Makes a graph ready for the saver, as the documentation says. */
  readonly harden: <G extends object>(graph: G) => G;
}

/** Keeps the live objects themselves: what is left is the time that LangGraph takes. */
class LastOnly extends MemorySaver {
  #last: CheckpointTuple | undefined;

  override async getTuple(): Promise<CheckpointTuple | undefined> {
    const last = this.#last;
    if (last === undefined) return undefined;
    const channelValues = { ...last.checkpoint.channel_values };
    return { ...last, checkpoint: { ...last.checkpoint, channel_values: channelValues } };
  }

  override async put(
    config: Parameters<MemorySaver["put"]>[0],
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): ReturnType<MemorySaver["put"]> {
    const configurable = {
      ...config.configurable,
      checkpoint_ns: "",
      checkpoint_id: checkpoint.id,
    };
    this.#last = { config: { configurable }, checkpoint, metadata, pendingWrites: [] };
    return { configurable } as Awaited<ReturnType<MemorySaver["put"]>>;
  }

  override async putWrites(): Promise<void> {}
}

export const stacks: readonly Stack[] = [
  {
    name: "threadkeep",
    open: (file) => {
      const saver = SqliteSaver.fromConnString(file);
      return { saver, close: () => void saver.close() };
    },
    harden: (graph) => withAllowlist(graph as never) as never,
  },
  {
    name: "stock SqliteSaver",
    open: (file) => {
      const saver = StockSaver.fromConnString(file);
      return { saver, close: () => saver.db.close() };
    },
    harden: (graph) => graph,
  },
  {
    name: "no storage",
    open: () => ({ saver: new LastOnly(), close: () => {} }),
    harden: (graph) => graph,
  },
];
