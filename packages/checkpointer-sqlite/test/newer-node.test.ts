import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Result {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const here = createRequire(import.meta.url);

/** This Node.js if it has `node:sqlite`; else the one that is installed for this test. */
function newerNode(): string {
  if (hasNodeSqlite()) return process.execPath;
  const { platform, arch } = process;
  const found = createRequire(new URL("newer-node/package.json", import.meta.url));
  const [name, program] =
    platform === "win32"
      ? [`node-win-${arch}`, "bin/node.exe"]
      : [
          platform === "darwin" ? `node-bin-darwin-${arch}` : `node-${platform}-${arch}`,
          "bin/node",
        ];
  return path.join(path.dirname(found.resolve(`${name}/package.json`)), program);
}

function hasNodeSqlite(): boolean {
  try {
    here("node:sqlite");
    return true;
  } catch {
    return false;
  }
}

/** Every test of the suites, as that Node.js finds it. */
function runSuites(node: string): { readonly results: readonly Result[]; readonly output: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "threadkeep-"));
  const file = path.join(folder, "results.json");
  try {
    const vitest = path.join(path.dirname(here.resolve("vitest/package.json")), "vitest.mjs");
    const { stdout, stderr } = spawnSync(
      node,
      [
        vitest,
        "run",
        "--config",
        fileURLToPath(new URL("newer-node/vitest.config.ts", import.meta.url)),
        "--reporter=json",
        `--outputFile=${file}`,
      ],
      {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        encoding: "utf8",
        env: Object.fromEntries(
          Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name)),
        ),
      },
    );
    const output = `${stdout}\n${stderr}`;
    try {
      const { testResults } = JSON.parse(readFileSync(file, "utf8")) as {
        testResults: { assertionResults: Result[] }[];
      };
      return { results: testResults.flatMap(({ assertionResults }) => assertionResults), output };
    } catch {
      return { results: [], output };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { results, output } = runSuites(newerNode());

describe("on a Node.js with node:sqlite", () => {
  it("finds the tests", () => {
    expect(results.length > 700 ? "" : output).toBe("");
  });

  it.each(results.map((result) => [result.fullName, result] as const))("%s", (_, result) => {
    expect(result.failureMessages.join("\n")).toBe("");
    expect(result.status).toBe("passed");
  });
});
