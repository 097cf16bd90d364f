import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBlocks } from "./blocks.ts";

// Inside of this package, so that the programs find what a user would have installed.
const HERE = fileURLToPath(new URL("..", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(HERE, ".run-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.concurrent.each(readBlocks())(
  "$name runs and prints what it says",
  { timeout: 60_000 },
  async ({ name, code, output }) => {
    const own = mkdtempSync(join(folder, "block-"));
    const file = join(own, "program.mts");
    writeFileSync(file, code);
    const result = await run(["--import", "tsx", file], own);
    if (result.code !== 0) throw new Error(`${name} failed:\n${result.stderr.slice(-2_000)}`);
    if (output !== undefined) expect(result.stdout).toBe(output);
  },
);

it("is type-checked strictly, as a whole", { timeout: 120_000 }, async () => {
  const own = mkdtempSync(join(folder, "types-"));
  for (const { name, code } of readBlocks())
    writeFileSync(join(own, `${name.replaceAll(/\W/g, "_")}.mts`), code);
  writeFileSync(
    join(own, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.mts"] }),
  );
  const tsc = join(HERE, "node_modules/typescript/bin/tsc");
  const { code, stdout } = await run([tsc, "-p", own], own);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});

/** What a new project of a user has. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "ES2022",
  lib: ["ES2023"],
  module: "NodeNext",
  skipLibCheck: true,
  types: ["node"],
};

function run(
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}
