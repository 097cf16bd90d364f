// This saver beside LangGraph.js' own, as JSON:
//
//   node scripts/bench.mjs checkpointer-sqlite run > result.json      after a build; some minutes
//   node scripts/bench.mjs checkpointer-sqlite run chat agent         only these scenarios
//   node scripts/bench.mjs checkpointer-sqlite report result.json     writes the storage section of docs/benchmarks.md
//
// Every scenario and saver has a process of its own; the savers take turns. Times are of that process
// alone (user and system, garbage collection included), so other work on the machine counts less.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Figures, type Scenario, scenarios } from "./scenarios.ts";
import { type Stack, stacks } from "./stacks.ts";

/** How often each scenario is run with each saver. */
const ROUNDS = 2;

const [first, ...rest] = process.argv.slice(2);
if (first === "--one") await one(rest[0] as string, rest[1] as string);
else all(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(scenarios));

/** One scenario with one saver, in this process. */
async function one(name: string, stackName: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-"));
  try {
    const stack = stacks.find((each) => each.name === stackName) as Stack;
    console.log(JSON.stringify(await (scenarios[name] as Scenario).run(stack, folder)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function all(names: readonly string[]): void {
  const results = names.map((name) => {
    const { title, hasFloor = false } = scenarios[name] as Scenario;
    const measured = stacks.filter((stack) => hasFloor || stack.name !== "no storage");
    const rounds = Array.from({ length: ROUNDS }, () =>
      measured.map((stack) => measure(name, stack.name)),
    );
    const rows = measured.map((stack, i) => ({
      name: stack.name,
      figures: best(rounds.map((round) => round[i] as Figures)),
    }));
    return { name, title, rows };
  });
  const date = new Date().toISOString().slice(0, 10);
  console.log(JSON.stringify({ node: process.version, date, results }, null, 2));
}

function measure(name: string, stack: string): Figures {
  const args = [fileURLToPath(import.meta.url), "--one", name, stack];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Figures;
}

/** The best of each figure: what else the machine does only makes them worse. */
function best(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0] as Figures);
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...rounds.map((round) => round[name] as number))]),
  );
}
