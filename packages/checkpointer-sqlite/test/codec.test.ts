import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SqliteSaver, type SealContext, type StorageCodec } from "../src/index.ts";
import { fillThread } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import { caught, collect, thread } from "./support/thread.ts";

/** A toy: not for secrets. It hides bytes with a key stream, and tells when they or their place changed. */
function toyCodec(key: string): StorageCodec {
  const mac = (bytes: Uint8Array, { threadId, digest }: SealContext): Buffer =>
    createHmac("sha256", key).update(threadId).update("\0").update(digest).update(bytes).digest();
  const mix = (bytes: Uint8Array, { digest }: SealContext): Buffer => {
    const out = Buffer.from(bytes);
    for (let at = 0, block = 0; at < out.length; block++) {
      const stream = createHmac("sha256", key).update(digest).update(String(block)).digest();
      for (let i = 0; i < stream.length && at < out.length; i++, at++)
        out[at] = (out[at] as number) ^ (stream[i] as number);
    }
    return out;
  };
  return {
    seal: (bytes, context) => Buffer.concat([mac(bytes, context), mix(bytes, context)]),
    open(sealed, context) {
      const bytes = mix(sealed.subarray(32), context);
      if (Buffer.compare(sealed.subarray(0, 32), mac(bytes, context)) !== 0)
        throw new Error("these bytes were changed, or belong elsewhere");
      return bytes;
    },
    digest: (bytes) => createHmac("sha256", key).update(bytes).digest(),
  };
}

describe("a codec", () => {
  const folder = temporaryFolders();

  it("seals every blob, and what is equal is still stored once", async () => {
    const [plain, sealed] = [path.join(folder(), "plain.db"), path.join(folder(), "sealed.db")];
    for (const [file, codec] of [[plain], [sealed, toyCodec("k")]] as const) {
      const saver = SqliteSaver.fromConnString(file, codec === undefined ? {} : { codec });
      await fillThread(saver, "1");
      const once = countParts(file);
      await fillThread(saver, "1");
      // Only what holds an object of this process that is another one each time.
      expect(countParts(file) - once).toBeLessThan(once / 3);
      await saver.close();
    }
    const bytes = readFileSync(sealed);
    for (const text of ["lorem ipsum", "secret", "file 3", "source", "versions_seen"])
      expect(bytes.includes(text)).toBe(false);
    for (const digest of plainDigests(plain)) expect(bytes.includes(digest)).toBe(false);
    expect(await everything(sealed, toyCodec("k"))).toStrictEqual(await everything(plain));
  });

  it("opens nothing with another key", async () => {
    const file = path.join(folder(), "sealed.db");
    const saver = SqliteSaver.fromConnString(file, { codec: toyCodec("k") });
    await fillThread(saver, "1");
    await saver.close();
    for (const codec of [toyCodec("other"), undefined]) {
      const other = SqliteSaver.fromConnString(file, codec === undefined ? {} : { codec });
      expect((await caught(() => other.getTuple(thread("1")))).code).toBe("corrupt");
      await other.close();
    }
  });

  it("binds a blob to its thread and its name", async () => {
    const file = path.join(folder(), "sealed.db");
    const saver = SqliteSaver.fromConnString(file, { codec: toyCodec("k") });
    await fillThread(saver, "1");
    await fillThread(saver, "2");
    const db = new Database(file);
    db.exec(
      "UPDATE tk_channels AS mine SET root = (SELECT root FROM tk_channels WHERE thread = 2 AND channel = 'note') WHERE thread = 1 AND channel = 'note'",
    );
    db.close();
    const notes = (await collect(saver.list(thread("2")))).map(
      ({ checkpoint }) => checkpoint.channel_values.note,
    );
    expect(notes.some((note) => note !== undefined)).toBe(true);
    expect((await caught(() => collect(saver.list(thread("1"))))).message).toContain(
      'channel "note"',
    );
    await saver.close();
  });
});

function countParts(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM tk_parts").pluck().get() as number;
  } finally {
    db.close();
  }
}

async function everything(file: string, codec?: StorageCodec): Promise<unknown[]> {
  const saver = SqliteSaver.fromConnString(file, codec === undefined ? {} : { codec });
  const tuples = await collect(saver.list({}));
  await saver.close();
  return tuples.map(({ checkpoint, metadata, pendingWrites }) => [
    checkpoint.channel_values,
    metadata,
    pendingWrites,
  ]);
}

/** The digests that a file without a codec holds: of its parts, and those that rows begin with. */
function plainDigests(file: string): Buffer[] {
  const db = new Database(file);
  const rows = (sql: string): Buffer[] => db.prepare(sql).pluck().all() as Buffer[];
  const parts = rows("SELECT body FROM tk_parts").map((body) =>
    createHash("sha256").update(body).digest().subarray(0, 8),
  );
  const checks = rows(
    "SELECT root FROM tk_channels UNION ALL SELECT root FROM tk_writes UNION ALL SELECT header FROM tk_checkpoints",
  ).map((root) => root.subarray(0, 8));
  db.close();
  return [...parts, ...checks];
}
