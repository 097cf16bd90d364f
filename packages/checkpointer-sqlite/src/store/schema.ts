import { type SqliteDatabase, transact } from "../database.ts";
import { SaverError } from "../errors.ts";

/** Version of the layout below. */
const SCHEMA_VERSION = 1;

/**
 * The layout; `docs/storage.md` follows a message through it. Names start with `tk_`, so that files of
 * other savers can be opened and their tables stay what they are.
 *
 * - A thread has one integer; a deleted thread's is never given out again, so that nothing cached
 *   under it can be taken for another's. Its generation grows whenever something is removed that a
 *   cache may rely on.
 * - A checkpoint holds everything but the values: `header` lists which channels have one. A value is
 *   found by namespace, channel and version, which all steps that leave it alone share.
 * - `root`, `header` and `metadata` are small documents, in which larger parts are references into
 *   `tk_parts`, where each part of a thread lies once under its digest.
 *
 * Keys that are small and rows that are short go without a rowid. Parts have one: rows of some
 * kilobytes would spill into pages of their own there, and those that are stored together are read
 * together.
 */
const LAYOUT = `
CREATE TABLE tk_schema (
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE tk_threads (
  thread INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id TEXT NOT NULL UNIQUE,
  generation INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE tk_checkpoints (
  thread INTEGER NOT NULL,
  ns TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  parent_id TEXT,
  state_version INTEGER NOT NULL DEFAULT 0,
  header BLOB NOT NULL,
  metadata_tag TEXT,
  metadata BLOB NOT NULL,
  PRIMARY KEY (thread, ns, checkpoint_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tk_channels (
  thread INTEGER NOT NULL,
  ns TEXT NOT NULL,
  channel TEXT NOT NULL,
  version ANY NOT NULL,
  ambiguous INTEGER NOT NULL DEFAULT 0,
  tag TEXT,
  root BLOB NOT NULL,
  PRIMARY KEY (thread, ns, channel, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE tk_writes (
  thread INTEGER NOT NULL,
  ns TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  task_path TEXT NOT NULL,
  task_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  channel TEXT NOT NULL,
  tag TEXT,
  root BLOB NOT NULL,
  PRIMARY KEY (thread, ns, checkpoint_id, task_id, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE tk_parts (
  id INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body BLOB NOT NULL,
  UNIQUE (thread, digest)
) STRICT;

INSERT INTO tk_schema (version) VALUES (${SCHEMA_VERSION});
`;

/** Create the layout where it is missing; refuse one that is newer than this code. */
export function prepareSchema(db: SqliteDatabase): void {
  if (readVersion(db) === undefined) {
    transact(db, () => {
      // Another process may have been faster.
      if (readVersion(db) === undefined) db.exec(LAYOUT);
    });
  }
  const version = readVersion(db) as number;
  if (version > SCHEMA_VERSION) {
    throw new SaverError(
      "newer_schema",
      `The file has layout ${version}, written by a newer version of this package; this one knows layout ${SCHEMA_VERSION}`,
    );
  }
}

function readVersion(db: SqliteDatabase): number | undefined {
  const table = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tk_schema'")
    .get();
  if (table === undefined) return undefined;
  const row = db.prepare("SELECT version FROM tk_schema").get() as { version: number } | undefined;
  if (row === undefined) throw new SaverError("corrupt", "The table tk_schema has no row");
  return row.version;
}
