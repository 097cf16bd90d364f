import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Workplace } from "./agent.ts";

/** What one process of the demo tells of its part. */
export interface PartReport {
  readonly part: string;
  readonly pid: number;
  readonly bash: number;
  readonly killed: boolean;
  readonly next: readonly string[];
  readonly said: readonly string[];
  readonly last: string;
  readonly startedAt: string;
  readonly spent: string;
  readonly budget: string;
}

export interface RunOptions {
  /** End the process with SIGKILL as soon as its part is done. */
  readonly kill?: boolean;
  readonly durability?: "sync" | "async" | "exit";
}

/** Run one part of the demo in a process of its own. */
export function runPart(
  part: "start" | "resume",
  { file, folder, secret }: Workplace,
  options: RunOptions = {},
): Promise<PartReport> {
  const { kill = false, durability = "sync" } = options;
  const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
  const args = ["--import", "tsx", worker, part, file, folder, secret, durability];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(kill ? { DEMO_WAIT: "1" } : {}) },
  });
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (kill && output.endsWith("\n")) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      try {
        resolve({ ...(JSON.parse(output) as PartReport), killed: signal === "SIGKILL" });
      } catch {
        reject(new Error(`The ${part} process failed (${signal ?? code}):\n${errors}`));
      }
    });
  });
}
