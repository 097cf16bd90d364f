import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What the first deployment tells. */
export interface Placed {
  readonly pid: number;
  readonly waitsFor: readonly string[];
  readonly total: string;
  readonly fields: readonly string[];
}

/** What the second one tells. */
export interface Finished {
  readonly pid: number;
  readonly question: string;
  readonly approved: boolean;
  readonly amount: string;
  readonly amountIs: string;
  readonly channel: string;
  readonly placedAt: string;
  readonly carts: readonly string[];
  readonly fields: readonly string[];
}

/** Run one deployment in a process of its own. */
export async function runPart(part: "first", file: string): Promise<Placed>;
export async function runPart(part: "second", file: string): Promise<Finished>;
export async function runPart(part: string, file: string): Promise<unknown> {
  const main = fileURLToPath(new URL(`${part}/main.ts`, import.meta.url));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--import", "tsx", main, file]);
  return JSON.parse(stdout);
}
