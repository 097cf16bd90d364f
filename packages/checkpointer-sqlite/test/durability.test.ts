import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import Module from "node:module";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SaverError, SqliteSaver } from "../src/index.ts";
import { chat } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import {
  caught,
  checkpointOf,
  collect,
  METADATA,
  Steps,
  thread,
  valuesOf,
} from "./support/thread.ts";

describe("when something is in the way", () => {
  const folder = temporaryFolders();

  it("a full disk loses nothing, and the same objects are stored when there is room again", async () => {
    const db = new Database(path.join(folder(), "full.db"));
    const saver = new SqliteSaver(db);
    const steps = new Steps(saver, thread("1"));
    let messages = chat(20);
    await steps.step({ messages });
    const before = steps.config;
    db.pragma(`max_page_count = ${(db.pragma("page_count", { simple: true }) as number) + 2}`);
    messages = [...messages, ...chat(60, 20, 3000)];
    const error = await caught(() => steps.step({ messages }));
    expect(error.code).toBe("disk_full");
    expect(error.message).toContain("space");
    expect((await caught(() => saver.putWrites(before, [["messages", messages]], "t"))).code).toBe(
      "disk_full",
    );
    expect(await valuesOf(saver, thread("1"))).toStrictEqual({ messages: messages.slice(0, 20) });
    db.pragma("max_page_count = 1000000");
    await steps.step({ messages });
    expect(await valuesOf(saver, thread("1"))).toStrictEqual({ messages });
    expect(await collect(saver.list(thread("1")))).toHaveLength(2);
    await saver.close();
  });

  it("a file that can't be written is still read", async () => {
    const file = path.join(folder(), "readonly.db");
    const first = SqliteSaver.fromConnString(file);
    await new Steps(first, thread("1")).step({ messages: chat(40) });
    await first.close();
    const saver = new SqliteSaver(new Database(file, { readonly: true }));
    expect((await valuesOf(saver, thread("1")))?.messages).toHaveLength(40);
    expect(await collect(saver.list({}))).toHaveLength(1);
    for (const work of [
      () => saver.put(thread("1"), checkpointOf({ a: 1 }), METADATA, { a: 1 }),
      () =>
        saver.putWrites({ configurable: { thread_id: "1", checkpoint_id: "c" } }, [["a", 1]], "t"),
      () => saver.deleteThread("1"),
    ])
      expect((await caught(work)).code).toBe("read_only");
    await saver.close();
  });

  it("a lock is waited for, then told; nothing is lost", async () => {
    const file = path.join(folder(), "locked.db");
    const saver = SqliteSaver.fromConnString(file, { busyTimeoutMs: 60 });
    const steps = new Steps(saver, thread("1"));
    await steps.step({ a: 1 });
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    const started = performance.now();
    const error = await caught(() => steps.step({ a: 2 }));
    expect(error.code).toBe("locked");
    expect(error.message).toContain("busyTimeoutMs");
    expect(performance.now() - started).toBeGreaterThan(50);
    expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 1 });
    other.exec("COMMIT");
    await steps.step({ a: 3 });
    expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 3 });
    await saver.close();
  });

  it("a database that its owner closed is told from one that the saver closed", async () => {
    const db = new Database(":memory:");
    const saver = new SqliteSaver(db);
    db.close();
    expect((await caught(() => saver.getTuple(thread("1")))).code).toBe("closed");
    expect((await caught(() => saver.put(thread("1"), checkpointOf({}), METADATA, {}))).code).toBe(
      "closed",
    );
    await saver.close();
  });

  it.each<[string, (file: string) => void, string]>([
    ["a text", (file) => writeFileSync(file, "dear diary, ".repeat(200)), "not_a_database"],
    ["a folder", (file) => mkdirSync(file), "cannot_open"],
    [
      "a file of a newer version",
      (file) =>
        new Database(file)
          .exec("CREATE TABLE tk_schema (version); INSERT INTO tk_schema VALUES (99)")
          .close(),
      "newer_schema",
    ],
    [
      "a file without a version",
      (file) => new Database(file).exec("CREATE TABLE tk_schema (version)").close(),
      "corrupt",
    ],
  ])("%s is not opened", async (_, make, code) => {
    const file = path.join(folder(), "odd.db");
    make(file);
    const error = await caught(async () => SqliteSaver.fromConnString(file));
    expect(SaverError.is(error) && error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(20);
  });

  it("a folder that is not there is told", async () => {
    const error = await caught(async () =>
      SqliteSaver.fromConnString(path.join(folder(), "no", "such.db")),
    );
    expect(error.code).toBe("cannot_open");
  });

  it("wrong options are refused", async () => {
    for (const work of [
      () => SqliteSaver.fromConnString(""),
      () => SqliteSaver.fromConnString(undefined as never),
      () => SqliteSaver.fromConnString(":memory:", { busyTimeoutMs: -1 }),
    ])
      expect((await caught(async () => work())).code).toBe("invalid_options");
  });

  it("a missing driver is named, with what to install", async () => {
    const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
    const load = loader._load;
    loader._load = (request, ...rest) => {
      if (request === "better-sqlite3") throw new Error("Cannot find module");
      return load.call(loader, request, ...rest);
    };
    try {
      const error = await caught(async () => SqliteSaver.fromConnString(":memory:"));
      expect(error.code).toBe("driver_missing");
      expect(error.message).toContain("npm install better-sqlite3");
    } finally {
      loader._load = load;
    }
  });

  it("a file keeps the tables of others beside ours", async () => {
    const file = path.join(folder(), "shared.db");
    new Database(file)
      .exec("CREATE TABLE checkpoints (id TEXT); INSERT INTO checkpoints VALUES ('theirs')")
      .close();
    const saver = SqliteSaver.fromConnString(file);
    await new Steps(saver, thread("1")).step({ a: 1 });
    await saver.close();
    expect(new Database(file).prepare("SELECT id FROM checkpoints").pluck().all()).toStrictEqual([
      "theirs",
    ]);
    chmodSync(file, 0o600);
  });
});
