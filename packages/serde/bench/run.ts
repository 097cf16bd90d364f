// Every serializer on the same values in one run, as JSON:
//
//   pnpm tsx bench/run.ts > result.json       after a build; a number of seconds for each value may follow
//   pnpm tsx bench/report.ts result.json…     writes docs/benchmarks.md from it
//
// Each serializer has a process of its own, so that none meets what the engine learned from another,
// and the processes take short turns, so that what the machine does otherwise meets all alike. Times
// are of processor time. A ratio is the median of those of single turns.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { peers } from "./peers.ts";
import { values } from "./values.ts";

const TURN_MS = 30;
const WARM_UP_MS = 500;
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

interface Turn {
  readonly dumpMs: number;
  readonly loadMs: number;
}

interface Runner {
  readonly name: string;
  readonly child: ChildProcess;
  readonly bytes: number;
  readonly turns: Turn[];
}

const seconds = Number(process.argv[2] ?? 15);
const results = [];
for (const name of Object.keys(values)) {
  process.stderr.write(`${name} …\n`);
  results.push({ name, rows: await measure(name) });
}
const date = new Date().toISOString().slice(0, 10);
console.log(JSON.stringify({ node: process.version, date, results }, null, 2));

async function measure(value: string): Promise<object[]> {
  const runners: Runner[] = [];
  for (const name of Object.keys(peers)) {
    const runner = await start(name, value);
    if (runner !== undefined) runners.push(runner);
  }
  for (const { child } of runners) await turn(child, WARM_UP_MS);
  const end = performance.now() + seconds * 1_000;
  for (let round = 0; round < 5 || performance.now() < end; round++)
    for (const { child, turns } of runners) turns.push(await turn(child, TURN_MS));
  for (const { child } of runners) child.kill();
  const stock = runners.find(({ name }) => name.startsWith("stock"));
  return runners.map(({ name, bytes, turns }) => ({
    name,
    bytes,
    dumpMs: round(median(turns.map(({ dumpMs }) => dumpMs))),
    loadMs: round(median(turns.map(({ loadMs }) => loadMs))),
    dumpRatio: stock && ratio(stock.turns, turns, "dumpMs"),
    loadRatio: stock && ratio(stock.turns, turns, "loadMs"),
  }));
}

/** Undefined when the serializer can't take the value. */
async function start(name: string, value: string): Promise<Runner | undefined> {
  const child = fork(WORKER, [name, value], { execArgv: ["--import", "tsx"], stdio: "ignore" });
  const ready = once(child, "message") as Promise<[{ bytes: number }]>;
  const first = await Promise.race([ready, once(child, "exit").then(() => undefined)]);
  return first && { name, child, bytes: first[0].bytes, turns: [] };
}

async function turn(child: ChildProcess, ms: number): Promise<Turn> {
  child.send(ms);
  const [times] = (await once(child, "message")) as [Turn];
  return times;
}

function ratio(stock: readonly Turn[], turns: readonly Turn[], key: keyof Turn): number {
  return round(median(stock.map((each, i) => each[key] / (turns[i] as Turn)[key])));
}

function median(numbers: number[]): number {
  numbers.sort((left, right) => left - right);
  return numbers[Math.floor(numbers.length / 2)] as number;
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
