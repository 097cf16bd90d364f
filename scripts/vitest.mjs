// What a run of vitest found.

import { existsSync, rmSync } from "node:fs";
import { readJson, StepError } from "./process.mjs";

/**
 * Run vitest by `run`, which is given the reporters to name, and count its tests.
 *
 * A run that ended badly without naming a failed test (a crash, an error outside any test) counts
 * as one failure.
 */
export async function countTests(report, run) {
  // What an earlier run wrote must not stand in for a run that crashed.
  rmSync(report, { force: true });
  let crashed = false;
  try {
    await run(["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
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
