import { SaverError, type SaverErrorCode } from "./errors.ts";

/** A value that SQLite takes as a parameter. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

/** The few methods of a prepared statement that this package calls. */
export interface SqliteStatement {
  run(...parameters: SqliteValue[]): unknown;
  get(...parameters: SqliteValue[]): unknown;
  all(...parameters: SqliteValue[]): unknown[];
}

/**
 * The few methods of an SQLite driver that this package calls. `better-sqlite3` and `node:sqlite`
 * (`DatabaseSync`) fit as they are, so neither is a dependency.
 *
 * `iterate` is not among them: it locks one driver and loops for ever in another.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** Run `work` in one write transaction: all of it is kept, or none of it, also after `undo`. */
export function transact<T>(db: SqliteDatabase, work: (undo: () => void) => T): T {
  return within(db, "BEGIN IMMEDIATE", work);
}

/** Run `work` on one unchanging view of the database. */
export function readConsistently<T>(db: SqliteDatabase, work: () => T): T {
  return within(db, "BEGIN", work);
}

function within<T>(db: SqliteDatabase, begin: string, work: (undo: () => void) => T): T {
  db.exec(begin);
  let end = "COMMIT";
  let result: T;
  try {
    result = work(() => void (end = "ROLLBACK"));
    db.exec(end);
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {
      // Some failures (a full disk, say) have rolled back already; the first error is the one to tell.
    }
    throw error;
  }
  return result;
}

/** Primary result codes of SQLite that a user can do something about. */
const KNOWN: ReadonlyMap<number, readonly [name: string, code: SaverErrorCode, advice: string]> =
  new Map([
    [
      5,
      [
        "SQLITE_BUSY",
        "locked",
        "another connection holds the lock; raise busyTimeoutMs or write less at once",
      ],
    ],
    [6, ["SQLITE_LOCKED", "locked", "another statement holds the lock"]],
    [
      8,
      [
        "SQLITE_READONLY",
        "read_only",
        "the database can't be written; check the file's and its folder's permissions",
      ],
    ],
    [10, ["SQLITE_IOERR", "io_error", "reading or writing the file failed; check the disk"]],
    [11, ["SQLITE_CORRUPT", "corrupt", "the database file is damaged; restore it from a backup"]],
    [13, ["SQLITE_FULL", "disk_full", "no space left; free some, nothing that was stored is lost"]],
    [
      14,
      [
        "SQLITE_CANTOPEN",
        "cannot_open",
        "the file can't be opened; check that its folder exists and may be written",
      ],
    ],
    [26, ["SQLITE_NOTADB", "not_a_database", "the file is not an SQLite database"]],
  ]);

/** Run `work`; errors of the driver come as {@link SaverError}, ours and the serializer's as they are. */
export function guarded<T>(doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSaverError(doing, error);
  }
}

function toSaverError(doing: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  if (typeof code !== "string") {
    // Drivers say this without a code.
    const { message } = error;
    if (/^cannot open database/i.test(message))
      return new SaverError("cannot_open", `${doing}: ${message}`, { cause: error });
    return /database/i.test(message) && /is not open|closed/i.test(message)
      ? new SaverError("closed", `${doing}: the database was closed`, { cause: error })
      : error;
  }
  if (/within a transaction/i.test(error.message)) {
    return new SaverError(
      "database_error",
      `${doing}: a transaction that somebody else began on this database handle is still open; end it first, or give the saver a handle of its own`,
      { cause: error },
    );
  }
  if (code === "ERR_INVALID_STATE")
    return new SaverError("closed", `${doing}: the database was closed`, { cause: error });
  for (const [number, [name, known, advice]] of KNOWN) {
    if (code.startsWith(name) || (typeof errcode === "number" && (errcode & 0xff) === number)) {
      return new SaverError(known, `${doing}: ${advice}`, { cause: error });
    }
  }
  if (!code.startsWith("SQLITE_") && code !== "ERR_SQLITE_ERROR") return error;
  return new SaverError("database_error", `${doing}: ${error.message}`, { cause: error });
}
