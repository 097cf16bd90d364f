import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Count } from "./graph.ts";

/** What a process says before it ends. */
export interface Told {
  readonly pid: number;
  readonly counted: readonly Count[];
  readonly total: number | undefined;
  /** What ended it, if it did not end by itself. */
  readonly endedBy: string | undefined;
}

/** Run one part in a process of its own. */
export function runPart(part: "first" | "second", file: string): Promise<Told> {
  const main = fileURLToPath(new URL(`${part}.ts`, import.meta.url));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--import", "tsx", main, file], (error, stdout) => {
      const [line = ""] = stdout.split("\n");
      if (line === "") reject(error ?? new Error(`${part} said nothing`));
      else resolve({ ...(JSON.parse(line) as Told), endedBy: error?.signal ?? undefined });
    });
  });
}
