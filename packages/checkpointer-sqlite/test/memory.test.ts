import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type SqliteDatabase, SqliteSaver, type SqliteStatement } from "../src/index.ts";
import { chat } from "./support/sample.ts";
import { Steps, thread } from "./support/thread.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Objects that nothing but the saver can hold. */
class Watched {
  readonly #refs: WeakRef<object>[] = [];

  add(...objects: readonly object[]): void {
    for (const object of objects) this.#refs.push(new WeakRef(object));
  }

  /** How many the saver holds. */
  async alive(): Promise<number> {
    // A WeakRef keeps its object until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return this.#refs.filter((ref) => ref.deref() !== undefined).length;
  }
}

/** Counts the rows that are read from a database. */
function counting(db: SqliteDatabase): { db: SqliteDatabase; read: () => number } {
  let rows = 0;
  const counted = (statement: SqliteStatement): SqliteStatement => ({
    run: (...values) => statement.run(...values),
    get: (...values) => {
      rows++;
      return statement.get(...values);
    },
    all: (...values) => {
      const found = statement.all(...values);
      rows += found.length;
      return found;
    },
  });
  return {
    db: {
      exec: (sql) => db.exec(sql),
      prepare: (sql) => counted(db.prepare(sql)),
      close: () => db.close(),
    },
    read: () => rows,
  };
}

describe("a saver holds", () => {
  it("nothing of most threads that were touched once", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const written = new Watched();
    const read = new Watched();
    for (let i = 0; i < 1000; i++) {
      const messages = chat(3);
      written.add(...messages);
      await new Steps(saver, thread(`t${i}`)).step({ messages });
      const tuple = await saver.getTuple(thread(`t${i}`));
      read.add(...(tuple?.checkpoint.channel_values.messages as object[]));
    }
    expect(await written.alive()).toBeLessThan(300);
    expect(await read.alive()).toBeLessThan(300);
    await saver.close();
  });

  it("few threads that are large", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const written = new Watched();
    for (let i = 0; i < 20; i++) {
      const messages = chat(8, 0, 500_000);
      written.add(...messages);
      await new Steps(saver, thread(`t${i}`)).step({ messages });
    }
    expect(await written.alive()).toBeLessThan(90);
    await saver.close();
  });

  it("what a thread had in its last rounds, and no older messages", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const steps = new Steps(saver, thread("1"));
    const seen = new Watched();
    for (let i = 0; i < 40; i++) {
      const last = await saver.getTuple(thread("1"));
      const before = (last?.checkpoint.channel_values.messages ?? []) as object[];
      seen.add(...before);
      await steps.step({ messages: [...before, ...chat(2, 2 * i)] });
    }
    // 1,560 were read.
    expect(await seen.alive()).toBeLessThan(400);
    await saver.close();
  });

  it("one checkpoint of a listing at a time, and gives the first at once", async () => {
    const { db, read } = counting(new Database(":memory:"));
    const saver = new SqliteSaver(db);
    const steps = new Steps(saver, thread("1"));
    let messages = chat(20);
    for (let i = 0; i < 200; i++) {
      messages = [...messages, ...chat(1, messages.length)];
      await steps.step({ messages });
    }
    const before = read();
    const listed = new Watched();
    let count = 0;
    for await (const { checkpoint } of saver.list(thread("1"))) {
      if (count++ === 0) expect(read() - before).toBeLessThan(100);
      listed.add(...(checkpoint.channel_values.messages as object[]));
    }
    expect(count).toBe(200);
    expect(await listed.alive()).toBeLessThan(300);
    await saver.close();
  });
});

describe("the history of a delta channel", () => {
  it("reads a few rows for each ancestor, and none of another channel", async () => {
    const { db, read } = counting(new Database(":memory:"));
    const saver = new SqliteSaver(db);
    const steps = new Steps(saver, thread("1"));
    await steps.step({ log: new DeltaSnapshot(["start"]), messages: chat(400) });
    for (let i = 0; i < 30; i++) {
      await saver.putWrites(steps.config, [["log", i]], "task");
      await steps.step({ messages: chat(400, i) });
    }
    const before = read();
    const { log } = await saver.getDeltaChannelHistory({ config: steps.config, channels: ["log"] });
    expect(log?.writes).toHaveLength(30);
    expect(log?.seed).toStrictEqual(new DeltaSnapshot(["start"]));
    expect(read() - before).toBeLessThan(30 * 5);
    await saver.close();
  });
});
