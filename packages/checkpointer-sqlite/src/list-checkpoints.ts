import type { CheckpointListOptions, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { isDeepStrictEqual } from "node:util";
import { requireRecord } from "./check-arguments.ts";
import { checkText, type ConfigLike } from "./config.ts";
import { SaverError } from "./errors.ts";
import type { CheckpointReader } from "./read-checkpoint.ts";
import type { CheckpointStore, Listing } from "./store/checkpoint-store.ts";
import type { CheckpointRow } from "./store/statements.ts";

/** How many rows are read at once: a listing takes no more memory when it is long. */
const PAGE = 32;

/** Checkpoints, newest first, one by one; the values of those that the filter drops are not read. */
export async function* listCheckpoints(
  store: CheckpointStore,
  reader: CheckpointReader,
  config: ConfigLike,
  options: CheckpointListOptions,
): AsyncGenerator<CheckpointTuple> {
  requireRecord("The options of list", options);
  const listing = readListing(config, options.before as ConfigLike | undefined);
  const filter = Object.entries(options.filter ?? {}).filter(([, value]) => value !== undefined);
  let left = readLimit(options.limit);
  let last: CheckpointRow | undefined;
  while (left > 0) {
    const size = filter.length > 0 ? PAGE : Math.min(PAGE, left);
    const rows = store.page(listing, last, size);
    for (const row of rows) {
      last = row;
      if (filter.length > 0 && !(await matches(store, reader, row, filter))) continue;
      const tuple = await store.reading(() => {
        // The page may be old by now.
        const now = store.checkpoint(row.thread_id, row.ns, row.checkpoint_id);
        return now && reader.tuple(now, false);
      });
      if (tuple === undefined) continue;
      yield tuple;
      if (--left === 0) return;
    }
    if (rows.length < size) return;
  }
}

async function matches(
  store: CheckpointStore,
  reader: CheckpointReader,
  row: CheckpointRow,
  filter: readonly (readonly [key: string, value: unknown])[],
): Promise<boolean> {
  const metadata = (await store.reading(() => {
    const now = store.checkpoint(row.thread_id, row.ns, row.checkpoint_id);
    return now && reader.metadata(now);
  })) as Record<string, unknown> | undefined;
  if (metadata === undefined) return false;
  return filter.every(
    ([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
  );
}

export function readListing(config: ConfigLike, before: ConfigLike | undefined): Listing {
  const read = (source: ConfigLike | undefined, name: string): string | undefined => {
    const value = source?.configurable?.[name];
    return value === undefined || value === null ? undefined : checkText(name, value);
  };
  return {
    threadId: read(config, "thread_id"),
    ns: read(config, "checkpoint_ns"),
    checkpointId: read(config, "checkpoint_id"),
    before: read(before, "checkpoint_id"),
  };
}

function readLimit(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (!(Number.isSafeInteger(limit) && limit >= 0))
    throw new SaverError("invalid_options", "limit must be a number of checkpoints");
  return limit;
}
