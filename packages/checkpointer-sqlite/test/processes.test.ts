import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SqliteSaver } from "../src/index.ts";
import { Child } from "./support/child.ts";
import { chat } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import { collect, idOf, latest, Steps, thread, valuesOf } from "./support/thread.ts";

const STEPS = 15 * Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

describe("several processes on one file", () => {
  const folder = temporaryFolders();

  it.each([
    ["two, on threads of their own", ["a", "b"]],
    ["two, on one thread", ["x", "x"]],
    ["four, on one thread and others", ["x", "x,a", "a,b", "b,x"]],
  ])(
    "%s",
    async (_, threads) => {
      const file = path.join(folder(), "shared.db");
      const children = threads.map((ids) => new Child("writer", [file, ids, String(STEPS)]));
      await Promise.all(children.map((child) => child.until("ready")));
      // All at once: also the creation of the file.
      for (const child of children) child.go();
      await Promise.all(children.map((child) => child.end()));

      const saver = SqliteSaver.fromConnString(file);
      for (const id of new Set(threads.flatMap((ids) => ids.split(",")))) {
        const stored = children.flatMap((child) =>
          child.lines.filter((line) => line.startsWith(`stored ${id} `)),
        );
        const tuples = new Map(
          (await collect(saver.list(thread(id)))).map((tuple) => [idOf(tuple.config), tuple]),
        );
        expect(tuples.size).toBe(stored.length);
        for (const line of stored) {
          const [, , i, checkpointId] = line.split(" ");
          const tuple = tuples.get(checkpointId as string);
          expect(tuple?.checkpoint.channel_values.i).toBe(Number(i));
          expect(tuple?.checkpoint.channel_values.messages).toHaveLength(
            Math.min(40, 5 + 2 * Number(i)),
          );
          expect(tuple?.pendingWrites).toHaveLength(1);
        }
      }
      await saver.close();
      expect(new Database(file).pragma("integrity_check", { simple: true })).toBe("ok");
    },
    120_000,
  );
});

describe("several processes that make one file at once", () => {
  const folder = temporaryFolders();

  it("wait for each other", async () => {
    const at = folder();
    const children = Array.from({ length: 4 }, () => new Child("opener", [at, "40"]));
    await Promise.all(children.map((child) => child.until("ready")));
    for (const child of children) child.go();
    await Promise.all(children.map((child) => child.end()));
  }, 60_000);
});

describe("a saver whose cache is older than another's change", () => {
  const folder = temporaryFolders();

  /** Two connections know as little of each other as two processes. */
  async function two(): Promise<{
    mine: SqliteSaver;
    theirs: SqliteSaver;
    raw: Database.Database;
  }> {
    const file = path.join(folder(), "two.db");
    return {
      mine: SqliteSaver.fromConnString(file),
      theirs: SqliteSaver.fromConnString(file),
      raw: new Database(file),
    };
  }

  it("writes anew what another has deleted", async () => {
    const { mine, theirs } = await two();
    const messages = chat(60);
    await new Steps(mine, thread("1")).step({ messages });
    await theirs.deleteThread("1");
    const steps = new Steps(mine, thread("1"));
    await steps.step({ messages });
    await mine.putWrites(steps.config, [["messages", messages.slice(0, 3)]], "t");
    const tuple = await latest(theirs, thread("1"));
    expect(tuple.checkpoint.channel_values.messages).toStrictEqual(messages);
    expect(tuple.pendingWrites?.[0]?.[2]).toStrictEqual(messages.slice(0, 3));
  });

  it("writes anew what another has pruned, elements and values by version alike", async () => {
    const { mine, theirs, raw } = await two();
    const messages = chat(60);
    const steps = new Steps(mine, thread("1"));
    await steps.step({ messages, plan: ["x".repeat(600)], n: 1 });
    // As a pruning does: everything of the old checkpoint goes, and the generation grows.
    raw.exec(
      "DELETE FROM tk_parts; DELETE FROM tk_channels; DELETE FROM tk_checkpoints; UPDATE tk_threads SET generation = generation + 1",
    );
    await steps.step({ messages: [...messages, ...chat(1, 60)], plan: ["x".repeat(600)], n: 1 }, [
      "messages",
    ]);
    expect(await valuesOf(theirs, thread("1"))).toStrictEqual({
      messages: [...messages, ...chat(1, 60)],
      plan: ["x".repeat(600)],
      n: 1,
    });
  });

  it("sees at once what another has stored", async () => {
    const { mine, theirs } = await two();
    const steps = new Steps(mine, thread("1"));
    for (let i = 0; i < 5; i++) {
      await steps.step({ i });
      expect(await valuesOf(theirs, thread("1"))).toStrictEqual({ i });
    }
  });
});
