// What hardening adds to a turn without Sends, over SqliteSaver in memory, as JSON:
//
//   node scripts/bench.mjs checkpointer-sqlite policy-cost [seconds for each case]     after a build
//
// The hardened and the plain graph have a process each, and take short turns, now one first, now the
// other, so that what the machine does otherwise meets both alike. Two processes that do the same can
// differ by some percent for as long as they live, so there are several pairs. Times are of processor
// time. The ratio of a pair is the median of those of its rounds.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const CASES = ["chat", "chat with untracked and private fields", "agent with a tool"];
const WORKER = fileURLToPath(new URL("policy-cost-worker.js", import.meta.url));
const WARM_UP_ROUNDS = 10;
const PAIRS = 12;

const seconds = Number(process.argv[2] ?? 20);
const results = [];
for (const name of CASES) {
  process.stderr.write(`${name} …\n`);
  const pairs: Pair[] = [];
  for (let i = 0; i < PAIRS; i++) pairs.push(await measure(name));
  results.push({
    name,
    plainMs: rounded(median(pairs.map((pair) => pair.plainMs))),
    hardenedMs: rounded(median(pairs.map((pair) => pair.hardenedMs))),
    ratio: rounded(median(pairs.map((pair) => pair.ratio))),
    pairs,
  });
}
const date = new Date().toISOString().slice(0, 10);
console.log(JSON.stringify({ node: process.version, date, results }, null, 2));

/** Medians over the rounds of two processes. */
interface Pair {
  readonly rounds: number;
  readonly plainMs: number;
  readonly hardenedMs: number;
  readonly ratio: number;
}

async function measure(name: string): Promise<Pair> {
  const plain = await start(name, "plain");
  const hardened = await start(name, "hardened");
  const rounds: { readonly plain: number; readonly hardened: number }[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (let thread = 0; rounds.length < 5 || performance.now() < end; thread++) {
    if (thread === WARM_UP_ROUNDS) end = performance.now() + (seconds * 1_000) / PAIRS;
    const isPlainFirst = thread % 2 === 0;
    const first = await round(isPlainFirst ? plain : hardened, thread);
    const second = await round(isPlainFirst ? hardened : plain, thread);
    const times = isPlainFirst
      ? { plain: first, hardened: second }
      : { plain: second, hardened: first };
    if (thread >= WARM_UP_ROUNDS) rounds.push(times);
  }
  plain.kill();
  hardened.kill();
  return {
    rounds: rounds.length,
    plainMs: rounded(median(rounds.map((each) => each.plain))),
    hardenedMs: rounded(median(rounds.map((each) => each.hardened))),
    ratio: rounded(median(rounds.map((each) => each.hardened / each.plain))),
  };
}

async function start(name: string, kind: string): Promise<ChildProcess> {
  const child = fork(WORKER, [name, kind]);
  await once(child, "message");
  return child;
}

/** Milliseconds of processor time for a turn. */
async function round(child: ChildProcess, thread: number): Promise<number> {
  child.send(thread);
  const [ms] = (await once(child, "message")) as [number];
  return ms;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
