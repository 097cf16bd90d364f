import { SqliteSaver } from "@threadkeep/checkpointer-sqlite";
import { SqliteSaver as StockSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { join } from "node:path";
import { Budget, THREAD } from "./agent.ts";
import { storedBytes } from "./stored-bytes.ts";

/** What one checkpoint with its pending writes takes, in bytes. */
export interface StepCost {
  readonly step: string;
  readonly here: number;
  readonly stock: number;
}

/** Store the thread's checkpoints once more, one by one, here and with the stock saver beside it. */
export async function stepCosts(file: string, folder: string): Promise<StepCost[]> {
  const source = SqliteSaver.fromConnString(file).withAllowlist({ Budget });
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of source.list(THREAD)) tuples.unshift(tuple);
  await source.close();

  const files = { here: join(folder, "here.db"), stock: join(folder, "stock.db") };
  const here = SqliteSaver.fromConnString(files.here).withAllowlist({ Budget });
  const stock = StockSaver.fromConnString(files.stock);
  const costs: StepCost[] = [];
  let before = { here: 0, stock: 0 };
  let versions: Record<string, unknown> = {};
  for (const tuple of tuples) {
    const changed = Object.entries(tuple.checkpoint.channel_versions).filter(
      ([channel, version]) => versions[channel] !== version,
    );
    await store(here, tuple, Object.fromEntries(changed));
    await store(stock as never, withoutBigInts(tuple), Object.fromEntries(changed));
    const now = { here: storedBytes(files.here), stock: storedBytes(files.stock) };
    costs.push({
      step: label(tuple),
      here: now.here - before.here,
      stock: now.stock - before.stock,
    });
    before = now;
    versions = tuple.checkpoint.channel_versions;
  }
  await here.close();
  stock.db.close();
  return costs;
}

async function store(
  saver: BaseCheckpointSaver,
  tuple: CheckpointTuple,
  newVersions: Record<string, number | string>,
): Promise<void> {
  const config = tuple.parentConfig ?? {
    configurable: { thread_id: THREAD.configurable.thread_id, checkpoint_ns: "" },
  };
  const stored = await saver.put(
    config,
    tuple.checkpoint,
    tuple.metadata ?? { source: "loop", step: 0, parents: {} },
    newVersions as Record<string, number>,
  );
  for (const [taskId, writes] of groupByTask(tuple)) await saver.putWrites(stored, writes, taskId);
}

function groupByTask({ pendingWrites = [] }: CheckpointTuple): Map<string, [string, unknown][]> {
  const tasks = new Map<string, [string, unknown][]>();
  for (const [taskId, channel, value] of pendingWrites)
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), [channel, value]]);
  return tasks;
}

/** The stock serializer replaces everything around a BigInt by an error text: it is spared them. */
function withoutBigInts(tuple: CheckpointTuple): CheckpointTuple {
  const spare = (values: Record<string, unknown>): Record<string, unknown> => {
    const { spent: _spent, budget: _budget, ...rest } = values;
    return rest;
  };
  const { __start__: start, ...values } = tuple.checkpoint.channel_values as Record<
    string,
    Record<string, unknown>
  >;
  const spared = { ...spare(values), ...(start === undefined ? {} : { __start__: spare(start) }) };
  const pendingWrites =
    tuple.pendingWrites?.filter(([, channel]) => channel !== "spent" && channel !== "budget") ?? [];
  return { ...tuple, checkpoint: { ...tuple.checkpoint, channel_values: spared }, pendingWrites };
}

function label({ metadata, pendingWrites = [] }: CheckpointTuple): string {
  const marks = pendingWrites
    .map(([, channel]) => channel)
    .filter((channel) => /^(branch:to:|__)/.test(channel));
  const next = [...new Set(marks.map((channel) => channel.replace("branch:to:", "to ")))];
  return `${String(metadata?.step).padStart(2)} ${metadata?.source}  ${next.join(", ")}`.slice(
    0,
    44,
  );
}
