/**
 * A worker for each chapter of a book. The first process is killed while one of them waits; the second
 * one runs that worker again and no other, with what it was sent and a client of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBook } from "./book.ts";
import { runPart } from "./run-part.ts";
import { SERVICE_KEY } from "./service.ts";

const home = mkdtempSync(join(tmpdir(), "threadkeep-map-reduce-"));
try {
  const file = join(home, "book.db");
  const first = await runPart("first", file);
  const done = first.counted.map(({ chapter }) => chapter).sort();
  print(
    `Process ${first.pid} counted the words of chapters ${done.join(", ")}, and ended by ${first.endedBy}.`,
  );
  const second = await runPart("second", file);
  const again = second.counted.filter(({ pid }) => pid === second.pid);
  print(
    `Process ${second.pid} counted those of ${again.map(({ chapter }) => chapter).join(", ")}.`,
  );
  print(`Together they are ${second.total} words.`);
  const bytes = readFileSync(file);
  const book = writeBook(4).join("").length;
  print(
    `  The book has ${kilobytes(book)} kB, went to 4 workers, and the file has ${kilobytes(bytes.length)} kB.`,
  );
  print(`  The key of the service is in the file: ${bytes.includes(SERVICE_KEY)}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1_000);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
