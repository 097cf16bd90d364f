import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SqliteSaver } from "../src/index.ts";
import { Child } from "./support/child.ts";
import { chat } from "./support/sample.ts";
import { temporaryFolders } from "./support/temp.ts";
import { collect, idOf, latest, Steps, thread } from "./support/thread.ts";

const ROUNDS = 3 * Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

describe("a process that is killed", () => {
  const folder = temporaryFolders();

  it("loses nothing that it said was stored", async () => {
    const file = path.join(folder(), "crash.db");
    for (let round = 0; round < ROUNDS; round++) {
      const child = new Child("writer", [file, `a${round},b${round}`, "100000"]);
      await child.until("ready");
      child.go();
      await child.until("stored");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
      await child.kill();

      expect(new Database(file).pragma("integrity_check", { simple: true })).toBe("ok");
      const saver = SqliteSaver.fromConnString(file);
      for (const id of [`a${round}`, `b${round}`]) {
        const stored = child.lines
          .filter((line) => line.startsWith(`stored ${id} `))
          .map((line) => line.split(" "));
        const tuples = await collect(saver.list(thread(id)));
        const ids = new Set(tuples.map(({ config }) => idOf(config)));
        for (const [, , i, checkpointId] of stored)
          expect(ids, `step ${i}`).toContain(checkpointId);
        // One more may have been stored than was said, and then it is whole.
        expect(tuples.length - stored.length).toBeLessThanOrEqual(1);
        for (const { checkpoint } of tuples) {
          const { i, messages } = checkpoint.channel_values as {
            i: number;
            messages: { content: string }[];
          };
          expect(messages).toHaveLength(Math.min(40, 5 + 2 * i));
          expect(messages.at(-1)?.content).toMatch(/^message /);
        }
        const last = stored.at(-1);
        if (last === undefined) continue;
        const { pendingWrites } = await latest(saver, {
          configurable: { thread_id: id, checkpoint_id: last[3] },
        });
        expect(pendingWrites).toHaveLength(1);
        // The thread goes on.
        await new Steps(saver, thread(id)).step({ messages: chat(5) });
      }
      await saver.close();
    }
  }, 120_000);
});
