import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Workplace } from "../src/agent.ts";
import { runPart } from "../src/run-part.ts";

const SECRET = "a-token-that-must-not-be-stored-91c2";
let home: string;
let workplace: Workplace;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "threadkeep-test-"));
  workplace = { file: join(home, "agent.db"), folder: join(home, "work"), secret: SECRET };
  mkdirSync(workplace.folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Every byte of the database, its write-ahead log included. */
function stored(): string {
  return readdirSync(home)
    .filter((name) => name.startsWith("agent.db"))
    .map((name) => readFileSync(join(home, name)).toString("latin1"))
    .join("");
}

describe.each(["sync", "async", "exit"] as const)("with durability %s", (durability) => {
  it.each([false, true])(
    "goes on in a second process with every type kept (first one killed: %s)",
    { timeout: 60_000 },
    async (kill) => {
      const first = await runPart("start", workplace, { kill, durability });
      expect(first.killed).toBe(kill);
      expect(first.next).toEqual(["tools"]);
      expect(stored()).not.toContain(SECRET);
      const second = await runPart("resume", workplace, { durability });
      expect(second.pid).not.toBe(first.pid);
      expect(second.bash).not.toBe(first.bash);
      expect(second.next).toEqual([]);
      expect(second.said).toEqual([`[bash ${first.bash}] 3`, `[bash ${second.bash}] a new bash`]);
      expect(second.last).toBe("The report is written.");
      expect(second.startedAt).toBe(first.startedAt);
      expect(second.spent).toBe("1000000000000000000n");
      expect(second.budget).toBe("Budget, 4000000000000000000 USD left");
      expect(readFileSync(join(workplace.folder, "report.txt"), "utf8")).toBe("a new bash\n");
      expect(stored()).toContain("report.txt");
      expect(stored()).not.toContain(SECRET);
    },
  );
});

it("prints an account that fits a terminal", { timeout: 60_000 }, () => {
  const demo = fileURLToPath(new URL("../src/demo.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", demo], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain("0 traces of its token");
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
