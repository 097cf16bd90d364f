import { createRequire } from "node:module";
import { type SqliteDatabase } from "./database.ts";
import { SaverError } from "./errors.ts";

type Driver = new (path: string, options: { timeout: number }) => SqliteDatabase;

/** Open or create a file with `better-sqlite3`, for readers and a writer at once. */
export function openDatabase(path: string, busyTimeoutMs: number): SqliteDatabase {
  const Database = loadDriver();
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    useWriteAheadLog(db, busyTimeoutMs);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Late, so that users of another driver or of `wrapSaver` need no native module. */
function loadDriver(): Driver {
  try {
    return createRequire(import.meta.url)("better-sqlite3") as Driver;
  } catch (cause) {
    throw new SaverError(
      "driver_missing",
      "better-sqlite3 can't be loaded; install it (npm install better-sqlite3), or pass an open database to new SqliteSaver(db)",
      { cause },
    );
  }
}

/**
 * A read-only file stays as it is.
 *
 * SQLite does not wait where several connections change the mode of a new file at once, as each would
 * wait for the other; one of them gets through, and the rest find it done.
 */
function useWriteAheadLog(db: SqliteDatabase, busyTimeoutMs: number): void {
  const end = Date.now() + busyTimeoutMs;
  while (!triesWriteAheadLog(db, Date.now() < end)) pause();
  db.exec("PRAGMA synchronous = NORMAL");
}

/** False when it is worth another try. */
function triesWriteAheadLog(db: SqliteDatabase, mayWait: boolean): boolean {
  try {
    db.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith("SQLITE_BUSY") && mayWait) return false;
    if (!code.startsWith("SQLITE_READONLY")) throw error;
  }
  return true;
}

/** The driver is synchronous, and so is waiting for it; not for the same time everywhere. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20);
}
