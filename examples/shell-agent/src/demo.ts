/**
 * An agent that works in a live bash, stops for a human, and goes on in another process.
 *
 * Each part runs in a process of its own; `--kill` ends the first one with SIGKILL instead of
 * letting it finish.
 */
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Budget } from "./agent.ts";
import { longChat } from "./long-chat.ts";
import { runPart } from "./run-part.ts";
import { type StepCost, stepCosts } from "./step-costs.ts";

const TURNS = 100;
const SECRET = "token-of-the-live-bash-7f3a";
const home = mkdtempSync(join(tmpdir(), "threadkeep-demo-"));
try {
  const workplace = { file: join(home, "agent.db"), folder: join(home, "work"), secret: SECRET };
  mkdirSync(workplace.folder);
  const first = await runPart("start", workplace, { kill: process.argv.includes("--kill") });
  const second = await runPart("resume", workplace);

  print("Threadkeep: one agent thread, two processes");
  print("");
  print(
    `Process ${first.pid} ran until the agent asked for approval; then it ${first.killed ? "was killed" : "ended"}.`,
  );
  for (const said of first.said) print(`  ${said}`);
  print(`Process ${second.pid} resumed the thread from the file with a new bash, and finished.`);
  for (const said of second.said.slice(first.said.length)) print(`  ${said}`);
  print(`  "${second.last}"`);
  print("");
  print(`${"Stored per step, in bytes".padEnd(46)}${"here".padStart(9)}${"stock*".padStart(9)}`);
  const costs = await stepCosts(workplace.file, home);
  for (const { step, here, stock } of [...costs, sum(costs)])
    print(`  ${step.padEnd(44)}${pad(here)}${pad(stock)}`);
  print(
    `  ${`a chat of ${TURNS} turns, for comparison`.padEnd(44)}${chat(await longChat(TURNS, home))}`,
  );
  print("  * without the two BigInts, which would cost it the whole checkpoint");
  print("");
  print("Left out of storage");
  print(
    `  shell (a live bash): ${countTraces(home, SECRET)} traces of its token in ${files(home).join(", ")}`,
  );
  print("");
  print("Came back in the second process, and what the stock serializer gives");
  for (const [name, here, value] of [
    ["startedAt", second.startedAt, new Date(0)],
    ["spent", second.spent, 10n ** 18n],
    ["budget", second.budget, new Budget(5n, "USD")],
  ] as const) {
    print(`  ${name.padEnd(11)}${here}`);
    print(`  ${"".padEnd(11)}stock: ${await underStock(value)}`);
  }
  print("");
  print("Next: README.md for the guarantees, docs/design.md for how it works,");
  print("examples/shell-agent/src/agent.ts for this agent.");
} finally {
  rmSync(home, { recursive: true, force: true });
}

function print(line: string): void {
  console.log(line);
}

function files(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith("agent.db"));
}

function countTraces(folder: string, text: string): number {
  return files(folder).reduce(
    (count, name) =>
      count + readFileSync(join(folder, name)).toString("latin1").split(text).length - 1,
    0,
  );
}

function sum(costs: readonly StepCost[]): StepCost {
  const add = (key: "here" | "stock"): number =>
    costs.reduce((total, cost) => total + cost[key], 0);
  return { step: "all", here: add("here"), stock: add("stock") };
}

function chat({ here, stock }: { readonly here: number; readonly stock: number }): string {
  return `${pad(here)}${pad(stock)}`;
}

function pad(bytes: number): string {
  return String(bytes).padStart(9);
}

async function underStock(value: unknown): Promise<string> {
  const serializer = new JsonPlusSerializer();
  try {
    const [tag, bytes] = await serializer.dumpsTyped(value);
    const back: unknown = await serializer.loadsTyped(tag, bytes);
    return `a ${typeof back === "object" ? "plain object" : typeof back}, ${inspect(back).slice(0, 44)}`;
  } catch (error) {
    return `the write fails: ${(error as Error).message}`;
  }
}
