// Every serializer on the same values in one run, as JSON:
//
//   node scripts/bench.mjs serde run > result.json        after a build; a number of seconds for each value may follow, and one value's name
//   node scripts/bench.mjs serde report result.json…      writes docs/benchmarks.md from it
//
// Each serializer has a process of its own for each value, one to dump and one to load it, so that none
// meets what the engine learned from another. The processes take short turns, so that what the machine
// does otherwise meets all alike. Turns of loading are longer, about what the slowest takes for one load:
// in a process that rests most of the time the engine takes back the memory for new objects, and the next
// load is spent with its collector. Times are of processor time. A ratio is the median of those of single
// turns.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { peers } from "./peers.ts";
import { values } from "./values.ts";

const TURN_MS = { dump: 60, load: 400 } as const;
const WARM_UP_MS = 2_000;
const WORKER = fileURLToPath(new URL("worker.js", import.meta.url));

type Operation = "dump" | "load";

/** One serializer that takes part. */
interface Runner {
  readonly name: string;
  readonly child: ChildProcess;
  readonly bytes: number;
  /** Milliseconds of each turn. */
  readonly turns: number[];
}

interface Times {
  readonly bytes: number;
  readonly ms: number;
  readonly ratio: number | undefined;
}

const seconds = Number(process.argv[2] ?? 20);
const only = process.argv[3];
const results = [];
for (const name of only === undefined ? Object.keys(values) : [only]) {
  process.stderr.write(`${name} …\n`);
  const dump = await measure(name, "dump");
  const load = await measure(name, "load");
  const rows = [...dump].map(([peer, { bytes, ms, ratio }]) => ({
    name: peer,
    bytes,
    dumpMs: ms,
    dumpRatio: ratio,
    loadMs: load.get(peer)?.ms,
    loadRatio: load.get(peer)?.ratio,
  }));
  results.push({ name, rows });
}
const date = new Date().toISOString().slice(0, 10);
console.log(JSON.stringify({ node: process.version, date, results }, null, 2));

/** Times of each serializer that can take the value. */
async function measure(value: string, operation: Operation): Promise<Map<string, Times>> {
  const runners: Runner[] = [];
  for (const name of Object.keys(peers)) {
    const runner = await start(name, value, operation);
    if (runner !== undefined) runners.push(runner);
  }
  for (const { child } of runners) await turn(child, WARM_UP_MS);
  const end = performance.now() + (seconds * 1_000) / 2;
  for (let round = 0; round < 5 || performance.now() < end; round++)
    for (const { child, turns } of runners) turns.push(await turn(child, TURN_MS[operation]));
  for (const { child } of runners) child.kill();
  const stock = runners.find(({ name }) => name.startsWith("stock"))?.turns;
  return new Map(
    runners.map(({ name, bytes, turns }) => {
      const ratios = stock?.map((each, i) => each / (turns[i] as number));
      return [
        name,
        { bytes, ms: round(median(turns)), ratio: ratios && round(median(ratios)) },
      ] as const;
    }),
  );
}

/** Undefined when the serializer can't take the value. */
async function start(
  name: string,
  value: string,
  operation: Operation,
): Promise<Runner | undefined> {
  const child = fork(WORKER, [name, value, operation]);
  const ready = once(child, "message") as Promise<[number]>;
  const first = await Promise.race([ready, once(child, "exit").then(() => undefined)]);
  return first && { name, child, bytes: first[0], turns: [] };
}

async function turn(child: ChildProcess, ms: number): Promise<number> {
  child.send(ms);
  const [time] = (await once(child, "message")) as [number];
  return time;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
