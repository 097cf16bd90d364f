// What hardening adds to a turn without Sends, over SqliteSaver in memory, as JSON:
//
//   node scripts/bench.mjs checkpointer-sqlite policy-cost [seconds for each case]     after a build
//
// The hardened and the plain graph have a process each, and take short turns, now one first, now the
// other, so that what the machine does otherwise meets both alike. Times are of processor time. The
// ratio is the median of those of single rounds.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const CASES = ["chat", "chat with untracked and private fields", "agent with a tool"];
const WORKER = fileURLToPath(new URL("policy-cost-worker.js", import.meta.url));
const WARM_UP_ROUNDS = 12;

const seconds = Number(process.argv[2] ?? 20);
const results = [];
for (const name of CASES) {
  process.stderr.write(`${name} …\n`);
  results.push({ name, ...(await measure(name)) });
}
const date = new Date().toISOString().slice(0, 10);
console.log(JSON.stringify({ node: process.version, date, results }, null, 2));

async function measure(name: string): Promise<object> {
  const plain = await start(name, "plain");
  const hardened = await start(name, "hardened");
  const rounds: { readonly plain: number; readonly hardened: number }[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (let thread = 0; rounds.length < 5 || performance.now() < end; thread++) {
    if (thread === WARM_UP_ROUNDS) end = performance.now() + seconds * 1_000;
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
  const plainMs = rounds.map((each) => each.plain);
  const hardenedMs = rounds.map((each) => each.hardened);
  return {
    rounds: rounds.length,
    plain: { medianMs: rounded(median(plainMs)), fastestMs: rounded(Math.min(...plainMs)) },
    hardened: {
      medianMs: rounded(median(hardenedMs)),
      fastestMs: rounded(Math.min(...hardenedMs)),
    },
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
