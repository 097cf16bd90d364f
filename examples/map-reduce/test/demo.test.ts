import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteSaver } from "@threadkeep/checkpointer-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeBook } from "../src/book.ts";
import { openCounter } from "../src/graph.ts";
import { runPart } from "../src/run-part.ts";
import { SERVICE_KEY } from "../src/service.ts";

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "threadkeep-map-reduce-test-"));
  file = join(home, "book.db");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const stored = (): Buffer =>
  Buffer.concat(readdirSync(home).map((name) => readFileSync(join(home, name))));

it("runs the worker that was killed again, and no other", async () => {
  const first = await runPart("first", file);
  expect(first.endedBy).toBe("SIGKILL");
  expect(first.counted.map(({ chapter }) => chapter).sort()).toEqual([0, 1, 3]);
  expect(stored().includes(SERVICE_KEY)).toBe(false);

  const second = await runPart("second", file);
  expect(second.endedBy).toBeUndefined();
  expect(second.total).toBe(16_000);
  const counted = new Map(second.counted.map(({ chapter, pid }) => [chapter, pid]));
  expect(counted).toEqual(
    new Map([
      [0, first.pid],
      [1, first.pid],
      [2, second.pid],
      [3, first.pid],
    ]),
  );
  expect(stored().includes(SERVICE_KEY)).toBe(false);
});

it("stores once what every worker is sent", async () => {
  const saver = SqliteSaver.fromConnString(file);
  const thread = { configurable: { thread_id: "book" } };
  const book = writeBook(12);
  await openCounter(saver).invoke({ book }, thread);
  await saver.close();
  // The input itself is stored too.
  expect(stored().length).toBeLessThan(3 * book.join("").length);
});
