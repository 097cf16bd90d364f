import type { CheckpointPendingWrite, DeltaChannelHistory } from "@langchain/langgraph-checkpoint";
import type { Address } from "./config.ts";
import type { CheckpointReader } from "./read-checkpoint.ts";
import type { CheckpointStore } from "./store/checkpoint-store.ts";
import type { CheckpointRow } from "./store/statements.ts";

/** A value that is read in order, and may be a promise. */
type Later<T> = T | Promise<T>;

/**
 * For each channel the writes to it since its value was last stored, and that value: up the line of
 * parents, reading nothing but these channels.
 */
export async function deltaChannelHistory(
  store: CheckpointStore,
  reader: CheckpointReader,
  address: Address | undefined,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const walk = store.reading(() => walkUp(store, reader, address, channels));
  const result: [channel: string, history: DeltaChannelHistory][] = [];
  for (const [channel, { blocks, seed }] of walk) {
    const writes: CheckpointPendingWrite[] = [];
    for (const block of blocks.reverse())
      for (const { taskId, value } of block) writes.push([taskId, channel, await value]);
    result.push([channel, seed === undefined ? { writes } : { writes, seed: await seed.value }]);
  }
  return Object.fromEntries(result);
}

interface Found {
  /** Writes of one checkpoint after another, from the nearest up. */
  readonly blocks: { readonly taskId: string; readonly value: Later<unknown> }[][];
  seed?: { readonly value: Later<unknown> };
}

function walkUp(
  store: CheckpointStore,
  reader: CheckpointReader,
  address: Address | undefined,
  channels: readonly string[],
): Map<string, Found> {
  const found = new Map(channels.map((channel): [string, Found] => [channel, { blocks: [] }]));
  const open = new Set(channels);
  const target = address && store.checkpoint(address.threadId, address.ns, address.checkpointId);
  // A checkpoint may have been given itself for a parent.
  const seen = new Set<string>();
  let row = parentOf(store, target);
  while (row !== undefined && open.size > 0 && !seen.has(row.checkpoint_id)) {
    seen.add(row.checkpoint_id);
    readCheckpoint(store, reader, row, open, found);
    row = parentOf(store, row);
  }
  return found;
}

function readCheckpoint(
  store: CheckpointStore,
  reader: CheckpointReader,
  row: CheckpointRow,
  open: Set<string>,
  found: ReadonlyMap<string, Found>,
): void {
  const rows = store.writes(row, row.checkpoint_id, [...open]);
  const writes = reader.writes(row, rows);
  const seeds = reader.channels(row, reader.header(row), open);
  if (writes.length + seeds.length === 0) return;
  const parts = reader.parts(row);
  parts.prefetch([...writes, ...seeds].map(({ document }) => document));
  const blocks = new Map<string, Found["blocks"][number]>();
  writes.forEach((write, i) => {
    let block = blocks.get(write.name);
    if (block === undefined) blocks.set(write.name, (block = []));
    block.push({ taskId: rows[i]?.task_id as string, value: reader.read(row, write, parts) });
  });
  for (const [channel, block] of blocks) found.get(channel)?.blocks.push(block);
  for (const seed of seeds) {
    (found.get(seed.name) as Found).seed = { value: reader.read(row, seed, parts) };
    open.delete(seed.name);
  }
}

function parentOf(
  store: CheckpointStore,
  row: CheckpointRow | undefined,
): CheckpointRow | undefined {
  if (row === undefined || row.parent_id === null) return undefined;
  return store.checkpoint(row.thread_id, row.ns, row.parent_id);
}
