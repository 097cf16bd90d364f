// Runs each package's own `test` script and adds up what vitest reports.

import { existsSync } from "node:fs";
import path from "node:path";
import { runPnpm } from "./process.mjs";
import { progress } from "./steps.mjs";
import { countTests } from "./vitest.mjs";
import { workspaces } from "./workspace.mjs";

/** Run the tests of all packages and examples, or of those named. */
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

function testPackage({ folder, manifest }) {
  progress(`testing ${manifest.name}`);
  return countTests(path.join(folder, ".reports/vitest.json"), (reporters) =>
    runPnpm(["--silent", "--dir", folder, "run", "test", ...reporters], {
      title: `tests of ${manifest.name}`,
    }),
  );
}
