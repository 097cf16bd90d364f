import Database from "better-sqlite3";
import { existsSync } from "node:fs";

/** Bytes of everything that lies in a database's tables, whatever its layout. */
export function storedBytes(file: string): number {
  if (!existsSync(file)) return 0;
  const db = new Database(file, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
    return tables.reduce((sum, table) => {
      const columns = db
        .prepare("SELECT name FROM pragma_table_info(?)")
        .pluck()
        .all(table) as string[];
      const size = columns
        .map((column) => `coalesce(length(CAST("${column}" AS BLOB)), 0)`)
        .join(" + ");
      return (
        sum +
        (db.prepare(`SELECT coalesce(sum(${size}), 0) FROM "${table}"`).pluck().get() as number)
      );
    }, 0);
  } finally {
    db.close();
  }
}
