// Runs each package's own `test` script and adds up what vitest reports.

import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { readJson, runPnpm, StepError } from "./process.mjs";
import { progress } from "./steps.mjs";
import { workspaces } from "./workspace.mjs";

/**
 * Run the tests of all packages and examples, or of those named.
 *
 * A package whose tests ended badly without naming a failed test (a crash, an error outside
 * any test) counts as one failure.
 */
export async function testPackages(names) {
  const packages = workspaces().filter(
    ({ name, folder, manifest }) =>
      manifest.scripts?.test !== undefined &&
      existsSync(path.join(folder, "test")) &&
      (names.length === 0 || names.includes(name)),
  );
  if (packages.length === 0) throw new Error(`No tests found: ${names.join(", ") || "anywhere"}`);
  const total = { passed: 0, failed: 0 };
  for (const it of packages) {
    const { passed, failed } = await testPackage(it);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

async function testPackage({ folder, manifest }) {
  progress(`testing ${manifest.name}`);
  const report = path.join(folder, ".reports/vitest.json");
  // What an earlier run wrote must not stand in for a run that crashed.
  rmSync(report, { force: true });
  let crashed = false;
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    await runPnpm(["--silent", "--dir", folder, "run", "test", ...reporters], {
      title: `tests of ${manifest.name}`,
    });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    console.log(error.message);
    crashed = true;
  }
  const { passed, failed } = existsSync(report)
    ? count(readJson(report))
    : { passed: 0, failed: 0 };
  return { passed, failed: crashed || passed === 0 ? Math.max(failed, 1) : failed };
}

function count({ testResults }) {
  let passed = 0;
  let failed = 0;
  for (const file of testResults) {
    const failedHere = file.assertionResults.filter((it) => it.status === "failed").length;
    passed += file.assertionResults.filter((it) => it.status === "passed").length;
    // A file that did not even load has no tests to fail.
    failed += file.status === "failed" ? Math.max(failedHere, 1) : failedHere;
  }
  return { passed, failed };
}
