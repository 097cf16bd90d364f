import {
  guarded,
  readConsistently,
  type SqliteDatabase,
  type SqliteValue,
  transact,
} from "../database.ts";
import { SaverError } from "../errors.ts";
import type { ThreadState } from "../parts/known-elements.ts";
import type { NamedPart } from "../parts/part.ts";
import type { FetchedPart } from "../parts/part-reader.ts";
import { prepareSchema } from "./schema.ts";
import type { Sealing } from "./sealing.ts";
import {
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  prepareStatements,
  type RootRow,
  type Statements,
  type WriteRow,
} from "./statements.ts";

type Version = number | string;

/** Which checkpoints a listing shows. */
export interface Listing {
  readonly threadId: string | undefined;
  readonly ns: string | undefined;
  readonly checkpointId: string | undefined;
  /** Only ids below this one. */
  readonly before: string | undefined;
}

/** The part of a thread that a row belongs to. */
export interface ThreadPlace {
  readonly thread: number;
  readonly ns: string;
}

/**
 * The rows behind a saver: everything here is synchronous and knows nothing of what the values mean.
 */
export class CheckpointStore {
  readonly sealing: Sealing;
  readonly #db: SqliteDatabase;
  readonly #sql: Statements;
  #isClosed = false;

  constructor(db: SqliteDatabase, sealing: Sealing) {
    this.sealing = sealing;
    this.#db = db;
    this.#sql = guarded("Opening the database", () => {
      prepareSchema(db);
      return prepareStatements(db);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#db.close();
  }

  assertOpen(): void {
    if (this.#isClosed) throw new SaverError("closed", "This saver was closed");
  }

  /** Run `read` on one unchanging view: nothing that it reads is removed between its steps. */
  reading<T>(read: () => T): T {
    return guarded("Reading a checkpoint", () => readConsistently(this.#db, read));
  }

  /** The thread as it is now; undefined when it has no rows yet. */
  state(threadId: string): ThreadState | undefined {
    return guarded(
      "Reading a thread",
      () => this.#sql.findThread.get(threadId) as ThreadState | undefined,
    );
  }

  /**
   * Run `write` in one transaction, if the thread is still as it was seen. Undefined when it is not,
   * or when `write` finds something that it did not expect and gives false: nothing was written then.
   */
  write(
    doing: string,
    threadId: string,
    seen: ThreadState | undefined,
    write: (thread: number) => boolean,
  ): ThreadState | undefined {
    return guarded(doing, () =>
      transact(this.#db, (undo) => {
        const now = this.#sql.findThread.get(threadId) as ThreadState | undefined;
        if (now?.thread !== seen?.thread || now?.generation !== seen?.generation) return undefined;
        if (now === undefined) this.#sql.addThread.run(threadId);
        const { thread } = now ?? (this.#sql.findThread.get(threadId) as ThreadState);
        if (!write(thread)) {
          undo();
          return undefined;
        }
        return this.#sql.findThread.get(threadId) as ThreadState;
      }),
    );
  }

  putParts(threadId: string, thread: number, parts: readonly NamedPart[]): void {
    for (const part of parts)
      this.#sql.putPart.run(thread, part.digest, this.sealing.sealPart(threadId, part));
  }

  /** `stateVersion` lies in the header too; beside it the database can be asked for it. */
  putCheckpoint(row: Omit<CheckpointRow, "thread_id" | "generation">, stateVersion: number): void {
    const { thread, ns, checkpoint_id, parent_id, header, metadata_tag, metadata } = row;
    this.#sql.putCheckpoint.run(
      thread,
      ns,
      checkpoint_id,
      parent_id,
      stateVersion,
      header,
      metadata_tag,
      metadata,
    );
  }

  /** False when the version has a value already. */
  putChannel(
    { thread, ns }: ThreadPlace,
    channel: string,
    version: Version,
    { tag, root }: RootRow,
  ): boolean {
    const result = this.#sql.putChannel.run(thread, ns, channel, version, tag, root);
    return Number((result as { changes: number | bigint }).changes) === 1;
  }

  /** From now on the version says nothing: two branches gave it to different values. */
  markAmbiguous({ thread, ns }: ThreadPlace, channel: string, version: Version): void {
    this.#sql.markAmbiguous.run(thread, ns, channel, version);
    this.#sql.outdate.run(thread);
  }

  putWrite(
    { thread, ns }: ThreadPlace,
    checkpointId: string,
    [taskPath, taskId, idx]: readonly [taskPath: string, taskId: string, idx: number],
    { channel, tag, root }: Omit<WriteRow, "task_id">,
  ): void {
    const statement = idx < 0 ? this.#sql.replaceWrite : this.#sql.keepWrite;
    statement.run(thread, ns, checkpointId, taskPath, taskId, idx, channel, tag, root);
  }

  /** The checkpoint, or the latest of its namespace. */
  checkpoint(
    threadId: string,
    ns: string,
    checkpointId: string | undefined,
  ): CheckpointRow | undefined {
    return (
      checkpointId === undefined
        ? this.#sql.getLatest.get(threadId, ns)
        : this.#sql.getCheckpoint.get(threadId, ns, checkpointId)
    ) as CheckpointRow | undefined;
  }

  writes(
    { thread, ns }: ThreadPlace,
    checkpointId: string,
    channels?: readonly string[],
  ): readonly WriteRow[] {
    return (
      channels === undefined
        ? this.#sql.getWrites.all(thread, ns, checkpointId)
        : this.#sql.getChannelWrites.all(thread, ns, checkpointId, JSON.stringify(channels))
    ) as WriteRow[];
  }

  channel(
    { thread, ns }: ThreadPlace,
    channel: string,
    version: Version,
  ): (RootRow & { readonly ambiguous: number }) | undefined {
    return this.#sql.getChannel.get(thread, ns, channel, version) as
      | (RootRow & { readonly ambiguous: number })
      | undefined;
  }

  /** Parts by their digests, in this order; undefined for those that are missing. */
  parts(threadId: string, thread: number, digests: readonly Uint8Array[]): FetchedPart[] {
    const found = Array.from<FetchedPart>({ length: digests.length });
    const wanted = JSON.stringify(digests.map((digest) => Buffer.from(digest).toString("hex")));
    for (const row of this.#sql.getParts.all(wanted, thread)) {
      const { position, body } = row as { position: number; body: Uint8Array };
      found[position] = this.#part(threadId, digests[position] as Uint8Array, body);
    }
    return found;
  }

  /** Damage to a part is told where it is used. */
  #part(threadId: string, digest: Uint8Array, body: Uint8Array): FetchedPart {
    try {
      return this.sealing.openPart(threadId, digest, body);
    } catch (error) {
      if (SaverError.is(error)) return error;
      throw error;
    }
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
    return guarded(
      "Listing checkpoints",
      () => this.#db.prepare(sql).all(...parameters, limit) as CheckpointRow[],
    );
  }

  deleteThread(threadId: string): void {
    guarded("Deleting a thread", () =>
      transact(this.#db, () => {
        const found = this.state(threadId);
        if (found === undefined) return;
        const sql = this.#sql;
        for (const statement of [
          sql.deleteWrites,
          sql.deleteCheckpoints,
          sql.deleteChannels,
          sql.deleteParts,
          sql.deleteThread,
        ])
          statement.run(found.thread);
      }),
    );
  }
}
