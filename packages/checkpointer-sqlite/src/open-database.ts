import { createRequire } from "node:module";
import { type SqliteDatabase } from "./database.ts";
import { SaverError } from "./errors.ts";

type Driver = new (path: string, options: { timeout: number }) => SqliteDatabase;

/** Open or create a file with `better-sqlite3`, for readers and a writer at once. */
export function openDatabase(path: string, busyTimeoutMs: number): SqliteDatabase {
  const Database = loadDriver();
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    useWriteAheadLog(db);
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

/** A read-only file stays as it is. */
function useWriteAheadLog(db: SqliteDatabase): void {
  try {
    db.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith("SQLITE_READONLY")) throw error;
  }
  db.exec("PRAGMA synchronous = NORMAL");
}
