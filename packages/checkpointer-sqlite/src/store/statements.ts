import type { SqliteDatabase, SqliteStatement } from "../database.ts";

/** A row of `tk_checkpoints` with its thread. */
export interface CheckpointRow {
  readonly thread: number;
  readonly generation: number;
  readonly thread_id: string;
  readonly ns: string;
  readonly checkpoint_id: string;
  readonly parent_id: string | null;
  readonly header: Uint8Array;
  readonly metadata_tag: string | null;
  readonly metadata: Uint8Array;
}

/**
 * A stored value: its sealed document. A foreign serializer's type tag; null where the document is
 * one of ours.
 */
export interface RootRow {
  readonly tag: string | null;
  readonly root: Uint8Array;
}

export interface WriteRow extends RootRow {
  readonly task_id: string;
  readonly channel: string;
}

type StatementName =
  | "findThread"
  | "addThread"
  | "outdate"
  | "deleteThread"
  | "deleteCheckpoints"
  | "deleteChannels"
  | "deleteWrites"
  | "deleteParts"
  | "getCheckpoint"
  | "getLatest"
  | "putCheckpoint"
  | "getChannel"
  | "putChannel"
  | "markAmbiguous"
  | "getWrites"
  | "getChannelWrites"
  | "keepWrite"
  | "replaceWrite"
  | "getParts"
  | "putPart";

/** Columns of {@link CheckpointRow}. */
export const CHECKPOINT_COLUMNS: string = `
  c.thread AS thread, t.generation AS generation, t.thread_id AS thread_id, c.ns AS ns,
  c.checkpoint_id AS checkpoint_id, c.parent_id AS parent_id, c.header AS header,
  c.metadata_tag AS metadata_tag, c.metadata AS metadata`;

const SQL: Readonly<Record<StatementName, string>> = {
  findThread: "SELECT thread, generation FROM tk_threads WHERE thread_id = ?",
  addThread: "INSERT INTO tk_threads (thread_id) VALUES (?)",
  outdate: "UPDATE tk_threads SET generation = generation + 1 WHERE thread = ?",
  deleteThread: "DELETE FROM tk_threads WHERE thread = ?",
  deleteCheckpoints: "DELETE FROM tk_checkpoints WHERE thread = ?",
  deleteChannels: "DELETE FROM tk_channels WHERE thread = ?",
  deleteWrites: "DELETE FROM tk_writes WHERE thread = ?",
  deleteParts: "DELETE FROM tk_parts WHERE thread = ?",

  getCheckpoint: `
    SELECT ${CHECKPOINT_COLUMNS}
    FROM tk_threads AS t JOIN tk_checkpoints AS c ON c.thread = t.thread
    WHERE t.thread_id = ? AND c.ns = ? AND c.checkpoint_id = ?`,
  getLatest: `
    SELECT ${CHECKPOINT_COLUMNS}
    FROM tk_threads AS t JOIN tk_checkpoints AS c ON c.thread = t.thread
    WHERE t.thread_id = ? AND c.ns = ?
    ORDER BY c.checkpoint_id DESC LIMIT 1`,
  putCheckpoint: `
    INSERT INTO tk_checkpoints
      (thread, ns, checkpoint_id, parent_id, state_version, header, metadata_tag, metadata)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (thread, ns, checkpoint_id) DO UPDATE SET
      parent_id = excluded.parent_id, state_version = excluded.state_version,
      header = excluded.header, metadata_tag = excluded.metadata_tag, metadata = excluded.metadata`,

  getChannel: `
    SELECT ambiguous, tag, root FROM tk_channels
    WHERE thread = ? AND ns = ? AND channel = ? AND version = ?`,
  putChannel: `
    INSERT INTO tk_channels (thread, ns, channel, version, tag, root) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (thread, ns, channel, version) DO NOTHING`,
  markAmbiguous: `
    UPDATE tk_channels SET ambiguous = 1
    WHERE thread = ? AND ns = ? AND channel = ? AND version = ?`,

  getWrites: `
    SELECT task_id, channel, tag, root FROM tk_writes
    WHERE thread = ? AND ns = ? AND checkpoint_id = ?
    ORDER BY task_path, task_id, idx`,
  getChannelWrites: `
    SELECT task_id, channel, tag, root FROM tk_writes
    WHERE thread = ? AND ns = ? AND checkpoint_id = ?
      AND channel IN (SELECT value FROM json_each(?))
    ORDER BY task_path, task_id, idx`,
  // Only outputs keep what was there first: an error, interrupt or resume replaces the one before.
  keepWrite: `
    INSERT INTO tk_writes (thread, ns, checkpoint_id, task_path, task_id, idx, channel, tag, root)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (thread, ns, checkpoint_id, task_id, idx) DO NOTHING`,
  replaceWrite: `
    INSERT OR REPLACE INTO tk_writes
      (thread, ns, checkpoint_id, task_path, task_id, idx, channel, tag, root)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,

  // One statement for all: a look-up for each would take longer than all the rest.
  getParts: `
    SELECT j.key AS position, p.body AS body
    FROM json_each(?) AS j CROSS JOIN tk_parts AS p ON p.thread = ? AND p.digest = unhex(j.value)`,
  putPart: `
    INSERT INTO tk_parts (thread, digest, body) VALUES (?, ?, ?)
    ON CONFLICT (thread, digest) DO NOTHING`,
};

/** Every fixed statement, prepared once. */
export type Statements = Readonly<Record<StatementName, SqliteStatement>>;

export function prepareStatements(db: SqliteDatabase): Statements {
  return Object.fromEntries(
    Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)]),
  ) as unknown as Statements;
}
