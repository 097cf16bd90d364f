import {
  guarded,
  readConsistently,
  type SqliteDatabase,
  type SqliteValue,
  transact,
} from "../database.ts";
import { SaverError } from "../errors.ts";
import type { Part } from "./parts.ts";
import { prepareSchema } from "./schema.ts";
import {
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  prepareStatements,
  type RootRow,
  type Statements,
  type WriteRow,
} from "./statements.ts";

type Version = number | string;

/** A value to be stored: its document and the parts that it refers to. */
export interface Encoded extends RootRow {
  readonly parts: readonly Part[];
}

/** Where a checkpoint lies. */
export interface Place {
  readonly threadId: string;
  readonly ns: string;
  readonly checkpointId: string;
}

export interface NewWrite {
  readonly idx: number;
  readonly channel: string;
  readonly value: Encoded;
}

/** Rows of a checkpoint and of its pending writes, read at one moment. */
export interface StoredCheckpoint {
  readonly row: CheckpointRow;
  readonly writes: readonly WriteRow[];
}

/** Which checkpoints a listing shows. */
export interface Listing {
  readonly threadId: string | undefined;
  readonly ns: string | undefined;
  readonly checkpointId: string | undefined;
  /** Only ids below this one. */
  readonly before: string | undefined;
}

/**
 * The rows behind a saver: everything here is synchronous, in one transaction per call, and knows
 * nothing of what the values mean.
 */
export class CheckpointStore {
  readonly #db: SqliteDatabase;
  readonly #sql: Statements;

  constructor(db: SqliteDatabase) {
    this.#db = db;
    this.#sql = guarded("Opening the database", () => {
      prepareSchema(db);
      return prepareStatements(db);
    });
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Store a checkpoint. `header` is given the channels whose value is found by version, and those
   * that keep their own.
   *
   * A channel without a value here has an old version, under which its value lies already. Where it
   * does not (the parent came from another saver, its values were pruned), `encode` gives it; a
   * first checkpoint has no older value, and the saver contract wants none then.
   */
  put(
    place: Place & { readonly parentId: string | undefined },
    channels: ReadonlyMap<
      string,
      { readonly version: Version | undefined; readonly value: Encoded | undefined }
    >,
    encode: (channel: string) => Encoded,
    header: (versioned: string[], own: Record<string, RootRow>) => Uint8Array,
    metadata: RootRow,
  ): void {
    guarded("Storing a checkpoint", () =>
      transact(this.#db, () => {
        const { thread } = this.#thread(place.threadId);
        const versioned: string[] = [];
        const own: Record<string, RootRow> = {};
        for (const [channel, { version, value }] of channels) {
          const found = value === undefined && this.#isStored(thread, place.ns, channel, version);
          if (value === undefined && !found && place.parentId === undefined) continue;
          const kept = found
            ? undefined
            : this.#putChannel(thread, place.ns, channel, version, value ?? encode(channel));
          if (kept === undefined) versioned.push(channel);
          else own[channel] = kept;
        }
        this.#sql.putCheckpoint.run(
          thread,
          place.ns,
          place.checkpointId,
          place.parentId ?? null,
          header(versioned, own),
          metadata.tag,
          metadata.root,
        );
      }),
    );
  }

  putWrites(place: Place, taskId: string, taskPath: string, writes: readonly NewWrite[]): void {
    guarded("Storing writes", () =>
      transact(this.#db, () => {
        const { thread } = this.#thread(place.threadId);
        for (const { idx, channel, value } of writes) {
          this.#putParts(thread, value.parts);
          const statement = idx < 0 ? this.#sql.replaceWrite : this.#sql.keepWrite;
          statement.run(
            thread,
            place.ns,
            place.checkpointId,
            taskPath,
            taskId,
            idx,
            channel,
            value.tag,
            value.root,
          );
        }
      }),
    );
  }

  /** Run `read` on one unchanging view: nothing that it reads is removed between its steps. */
  reading<T>(read: () => T): T {
    return guarded("Reading a checkpoint", () => readConsistently(this.#db, read));
  }

  /** The checkpoint, or the latest of its namespace, with its writes. */
  get(
    threadId: string,
    ns: string,
    checkpointId: string | undefined,
  ): StoredCheckpoint | undefined {
    const row = (
      checkpointId === undefined
        ? this.#sql.getLatest.get(threadId, ns)
        : this.#sql.getCheckpoint.get(threadId, ns, checkpointId)
    ) as CheckpointRow | undefined;
    return row === undefined ? undefined : { row, writes: this.writes(row, row.checkpoint_id) };
  }

  writes({ thread, ns }: CheckpointRow, checkpointId: string): readonly WriteRow[] {
    return this.#sql.getWrites.all(thread, ns, checkpointId) as WriteRow[];
  }

  /** Writes to one channel. */
  channelWrites(
    { thread, ns }: CheckpointRow,
    checkpointId: string,
    channel: string,
  ): readonly WriteRow[] {
    return this.#sql.getSends.all(thread, ns, checkpointId, channel) as WriteRow[];
  }

  channel({ thread, ns }: CheckpointRow, channel: string, version: Version): RootRow | undefined {
    return this.#sql.getChannel.get(thread, ns, channel, version) as RootRow | undefined;
  }

  /** The bytes of a part. */
  part(thread: number, digest: Uint8Array): Uint8Array {
    const row = this.#sql.getValue.get(thread, digest) as { body: Uint8Array } | undefined;
    if (row === undefined) throw new SaverError("corrupt", "A stored part is missing");
    return row.body;
  }

  /** Up to `limit` checkpoints below `after`, newest first. */
  page(
    listing: Listing,
    after: CheckpointRow | undefined,
    limit: number,
  ): readonly CheckpointRow[] {
    const clauses: string[] = [];
    const parameters: SqliteValue[] = [];
    const add = (clause: string, ...values: SqliteValue[]): void => {
      clauses.push(clause);
      parameters.push(...values);
    };
    if (listing.threadId !== undefined) add("t.thread_id = ?", listing.threadId);
    if (listing.ns !== undefined) add("c.ns = ?", listing.ns);
    if (listing.checkpointId !== undefined) add("c.checkpoint_id = ?", listing.checkpointId);
    if (listing.before !== undefined) add("c.checkpoint_id < ?", listing.before);
    if (after !== undefined) {
      add(
        "(c.checkpoint_id, c.thread, c.ns) < (?, ?, ?)",
        after.checkpoint_id,
        after.thread,
        after.ns,
      );
    }
    const where = clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`;
    const sql = `
      SELECT ${CHECKPOINT_COLUMNS}
      FROM tk_checkpoints AS c JOIN tk_threads AS t ON t.thread = c.thread
      ${where}
      ORDER BY c.checkpoint_id DESC, c.thread DESC, c.ns DESC
      LIMIT ?`;
    return this.#db.prepare(sql).all(...parameters, limit) as CheckpointRow[];
  }

  deleteThread(threadId: string): void {
    guarded("Deleting a thread", () =>
      transact(this.#db, () => {
        const found = this.#sql.findThread.get(threadId) as { thread: number } | undefined;
        if (found === undefined) return;
        const { deleteWrites, deleteCheckpoints, deleteChannels, deleteValues, deleteThread } =
          this.#sql;
        for (const statement of [
          deleteWrites,
          deleteCheckpoints,
          deleteChannels,
          deleteValues,
          deleteThread,
        ]) {
          statement.run(found.thread);
        }
      }),
    );
  }

  #thread(threadId: string): { readonly thread: number; readonly generation: number } {
    const found = this.#sql.findThread.get(threadId);
    if (found === undefined) this.#sql.addThread.run(threadId);
    return (found ?? this.#sql.findThread.get(threadId)) as { thread: number; generation: number };
  }

  /** Whether a value is found by this version, and only one. */
  #isStored(thread: number, ns: string, channel: string, version: Version | undefined): boolean {
    return version !== undefined && this.#channelRow(thread, ns, channel, version)?.ambiguous === 0;
  }

  /** Undefined when the value is found by its version from now on; else what the checkpoint keeps itself. */
  #putChannel(
    thread: number,
    ns: string,
    channel: string,
    version: Version | undefined,
    value: Encoded,
  ): RootRow | undefined {
    const { tag, root, parts } = value;
    this.#putParts(thread, parts);
    if (version === undefined) return { tag, root };
    const stored = this.#channelRow(thread, ns, channel, version);
    if (stored === undefined) {
      this.#sql.putChannel.run(thread, ns, channel, version, tag, root);
      return undefined;
    }
    if (stored.tag === tag && Buffer.compare(stored.root, root) === 0) return undefined;
    // Two branches gave one version to different values: from now on the version says nothing.
    this.#sql.markAmbiguous.run(thread, ns, channel, version);
    return { tag, root };
  }

  #channelRow(
    thread: number,
    ns: string,
    channel: string,
    version: Version,
  ): (RootRow & { ambiguous: number }) | undefined {
    return this.#sql.getChannel.get(thread, ns, channel, version) as
      | (RootRow & { ambiguous: number })
      | undefined;
  }

  #putParts(thread: number, parts: readonly Part[]): void {
    for (const { digest, body } of parts) this.#sql.putValue.run(thread, digest, body);
  }
}
