// Processor time, memory and bytes on disk.

import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Database from "better-sqlite3";

/** Milliseconds of processor time that this process took so far, garbage collection included. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The lower quartile of what some runs take. */
export async function quartileMs(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = processorMs();
    await work();
    times.push(processorMs() - start);
  }
  return quantile(times, 0.25);
}

export function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((left, right) => left - right);
  return rounded(sorted[Math.floor(part * sorted.length)] as number);
}

export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Bytes of all files in a folder: a database has some beside it. */
export function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}

/** Bytes of an open database without its log; 0 where there is none. */
export function settledBytes(file: string): number {
  if (!existsSync(file)) return 0;
  const db = new Database(file);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  return statSync(file).size;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes of live objects. */
export async function heapBytes(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return process.memoryUsage().heapUsed;
}
