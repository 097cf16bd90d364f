import { spawn } from "node:child_process";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** Run a program that has one resource; gives what it printed and how it ended. */
async function run(
  body: string,
  onReady?: (pid: number) => void,
): Promise<{ output: string; code: number | null; signal: string | null }> {
  const folder = mkdtempSync(join(PACKAGE, ".run-"));
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `import { resource } from "@threadkeep/middleware";
const thing = resource({ key: "thing", create: () => ({}), dispose: () => console.log("ended") });
await thing.get({ configurable: { thread_id: "1" } });
console.log("ready");
${body}`,
  );
  try {
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (output === "ready\n") onReady?.(child.pid as number);
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on("close", (...end) => resolve(end)),
    );
    return { output, code, signal };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const WAIT = "setInterval(() => {}, 1000);";

it.each([
  ["has nothing left to do", "", undefined, { output: "ready\nended\n", code: 0, signal: null }],
  [
    "calls process.exit",
    "process.exit(3);",
    undefined,
    { output: "ready\nended\n", code: 3, signal: null },
  ],
  ["gets SIGTERM", WAIT, "SIGTERM", { output: "ready\nended\n", code: null, signal: "SIGTERM" }],
  ["gets SIGINT", WAIT, "SIGINT", { output: "ready\nended\n", code: null, signal: "SIGINT" }],
  [
    "handles the signal itself",
    `${WAIT} process.on("SIGTERM", () => { console.log("app"); process.exit(5); });`,
    "SIGTERM",
    { output: "ready\napp\nended\n", code: 5, signal: null },
  ],
] as const)(
  "ends resources when the process %s",
  { timeout: 20_000 },
  async (_name, body, signal, expected) => {
    const kill =
      signal === undefined
        ? undefined
        : (pid: number) => setTimeout(() => process.kill(pid, signal), 100);
    expect(await run(body, kill)).toEqual(expected);
  },
);
