import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MsgpackSerializer } from "@threadkeep/serde";
import { SaverError, SqliteSaver } from "../src/index.ts";
import { fillThread } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import { caught, collect, thread } from "./support/thread.ts";

const ROUNDS = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);
const BLOBS = [
  ["tk_checkpoints", "header"],
  ["tk_checkpoints", "metadata"],
  ["tk_channels", "root"],
  ["tk_writes", "root"],
  ["tk_parts", "body"],
  ["tk_parts", "digest"],
] as const;

interface Blob {
  readonly table: string;
  readonly column: string;
  /** Which row, as a condition with its parameters. */
  readonly where: string;
  readonly key: readonly unknown[];
  readonly bytes: Buffer;
}

describe("a damaged file", () => {
  const folder = temporaryFolders();
  let db: Database.Database;
  let saver: SqliteSaver;
  let whole: Whole[];

  beforeEach(async () => {
    db = new Database(path.join(folder(), "c.db"));
    saver = new SqliteSaver(db);
    await fillThread(saver, "1");
    await fillThread(saver, "2");
    whole = (await collect(saver.list({}))).map((tuple) => ({ tuple, bytes: bytesOf(tuple) }));
  });

  afterEach(() => saver.close());

  it("never gives a wrong value: what is damaged is told with its place, the rest loads", async () => {
    const told = new Set<string>();
    for (const blob of blobsOf(db)) {
      for (const bytes of damaged(blob.bytes)) {
        write(db, blob, bytes);
        const errors = await readAll(new SqliteSaver(db), whole);
        expect(
          errors.length,
          `${blob.table}.${blob.column} of ${String(blob.key)}`,
        ).toBeGreaterThan(0);
        for (const error of errors) {
          expect(SaverError.is(error) && error.code).toBe("corrupt");
          expect(error.message).toMatch(/Thread "1", checkpoint [0-9a-f-]{36}, channel "/);
          told.add(/channel "([^"]*)"/.exec(error.message)?.[1] as string);
        }
        write(db, blob, blob.bytes);
      }
    }
    expect(await readAll(new SqliteSaver(db), whole)).toStrictEqual([]);
    for (const channel of ["header", "metadata", "messages", "files"])
      expect(told).toContain(channel);
  });

  it.each([
    ["tk_parts", "one of its parts is missing"],
    ["tk_channels", "its value is missing"],
  ])("tells what is missing without %s", async (table, what) => {
    db.exec(`DELETE FROM ${table}`);
    const error = await caught(() => new SqliteSaver(db).getTuple(thread("1")));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain(what);
  });

  it("tells when parts were exchanged", async () => {
    const [a, b] = db
      .prepare("SELECT id, body FROM tk_parts WHERE length(body) > 200 LIMIT 2")
      .all() as { id: number; body: Buffer }[];
    const put = db.prepare("UPDATE tk_parts SET body = ? WHERE id = ?");
    put.run(b?.body, a?.id);
    put.run(a?.body, b?.id);
    expect((await readAll(new SqliteSaver(db), whole)).length).toBeGreaterThan(0);
  });

  it("is not written on: a bad thread stays as it is, others go on", async () => {
    db.exec("UPDATE tk_parts SET body = zeroblob(length(body)) WHERE thread = 1");
    const again = new SqliteSaver(db);
    expect((await caught(() => again.getTuple(thread("1")))).code).toBe("corrupt");
    await fillThread(again, "3");
    expect(await again.getTuple(thread("3"))).toBeDefined();
  });

  it("says so when SQLite itself finds the damage", async () => {
    const file = path.join(folder(), "broken.db");
    await db.backup(file);
    const broken = new Database(file);
    broken.pragma("journal_mode = DELETE");
    const [page, size] = [
      broken.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tk_parts'").pluck().get(),
      broken.pragma("page_size", { simple: true }),
    ] as [number, number];
    broken.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, (page - 1) * size, page * size));
    const damaged = SqliteSaver.fromConnString(file);
    const error = await caught(() => damaged.getTuple(thread("1")));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain("backup");
    await damaged.close();
  });
});

interface Whole {
  readonly tuple: CheckpointTuple;
  readonly bytes: Uint8Array;
}

const serializer = new MsgpackSerializer();

function bytesOf(tuple: CheckpointTuple): Uint8Array {
  return serializer.dumps(structure(tuple));
}

function structure({
  checkpoint,
  metadata,
  pendingWrites,
  config,
  parentConfig,
}: CheckpointTuple): unknown {
  return [checkpoint, metadata, pendingWrites, config, parentConfig];
}

/** Load every checkpoint; those that load are as they were. */
async function readAll(saver: SqliteSaver, whole: readonly Whole[]): Promise<Error[]> {
  const errors: Error[] = [];
  for (const { tuple, bytes } of whole) {
    let found: CheckpointTuple | undefined;
    try {
      found = await saver.getTuple(tuple.config);
    } catch (error) {
      expect(tuple.config.configurable?.thread_id).toBe("1");
      errors.push(error as Error);
      continue;
    }
    expect(found !== undefined && Buffer.compare(bytesOf(found), bytes) === 0).toBe(true);
  }
  return errors;
}

function blobsOf(db: Database.Database): Blob[] {
  return BLOBS.flatMap(([table, column]) => {
    const keys = (db.pragma(`table_info(${table})`) as { name: string; pk: number }[])
      .filter(({ pk }) => pk > 0)
      .map(({ name }) => name);
    const where = keys.map((name) => `${name} = ?`).join(" AND ");
    const rows = db
      .prepare(`SELECT ${keys.join()}, ${column} AS bytes FROM ${table} WHERE thread = 1`)
      .all() as Record<string, unknown>[];
    // Every kind of row, not every row: the long form goes through all of them.
    const step = Math.max(1, Math.floor(rows.length / (5 * ROUNDS)));
    return rows
      .filter((_, i) => i % step === 0)
      .map((row) => ({
        table,
        column,
        where,
        key: keys.map((name) => row[name]),
        bytes: row.bytes as Buffer,
      }));
  });
}

function* damaged(bytes: Buffer): Iterable<Buffer> {
  const places = [0, bytes.length - 1];
  for (let i = 0; i < ROUNDS; i++) places.push(Math.floor(Math.random() * bytes.length));
  for (const place of places) {
    const copy = Buffer.from(bytes);
    copy[place] = (copy[place] as number) ^ (1 << (place % 8));
    yield copy;
  }
  if (bytes.length > 16) yield bytes.subarray(0, bytes.length - 1);
}

function write(db: Database.Database, { table, column, where, key }: Blob, bytes: Buffer): void {
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes, ...key);
}
