// Runs tests on the oldest versions that the packages' peer ranges admit. The newest ones are
// those of the workspace, which every other test runs on.

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readJson, root, runPnpm, tools } from "./process.mjs";
import { progress } from "./steps.mjs";
import { oldestPeers, readCatalog } from "./versions.mjs";
import { countTests } from "./vitest.mjs";
import { workspaces } from "./workspace.mjs";

/** A workspace of its own, with the same packages and a catalog of older versions. */
const folder = path.join(tools, "compat/oldest");

/** Written after an install that went well, and says of what. */
const stampFile = path.join(folder, "node_modules/.install-stamp.json");

/** What a package is tested with, and what its neighbours see of it. */
const PARTS = ["src", "test", "dist", "package.json"];

/** Resolves with the numbers of tests that passed and failed. */
export async function testCompat() {
  progress("testing with the oldest versions of LangGraph and LangChain");
  const packages = workspaces().filter((it) => it.folder.startsWith(path.join(root, "packages")));
  for (const it of packages) copyPackage(it);
  cpSync(
    path.join(root, "scripts/compat/vitest.config.mjs"),
    path.join(folder, "vitest.config.mjs"),
  );
  await install(packages);
  return countTests(path.join(folder, ".reports/vitest.json"), (reporters) =>
    runPnpm(["--silent", "--dir", folder, "exec", "vitest", "run", ...reporters], {
      title: "tests with the oldest versions of LangGraph and LangChain",
      // What changes with the versions shows in the short form.
      env: { THREADKEEP_TEST_ROUNDS: "1" },
    }),
  );
}

function copyPackage({ name, folder: from }) {
  const to = path.join(folder, "packages", name);
  for (const part of PARTS) {
    rmSync(path.join(to, part), { recursive: true, force: true });
    cpSync(path.join(from, part), path.join(to, part), {
      recursive: true,
      filter: (file) => path.basename(file) !== "node_modules",
    });
  }
}

async function install(packages) {
  const oldest = oldestPeers(packages);
  const workspace = {
    packages: ["packages/*"],
    catalog: { ...readCatalog(), ...oldest },
    // Also for what LangChain itself depends on.
    overrides: oldest,
    allowBuilds: { "better-sqlite3": true, esbuild: false, "msgpackr-extract": false },
  };
  const { devDependencies, packageManager } = readJson(path.join(root, "package.json"));
  const manifest = {
    private: true,
    type: "module",
    packageManager,
    devDependencies: { tsx: devDependencies.tsx, vitest: "catalog:" },
  };
  const wanted = JSON.stringify([workspace, manifest, packages, process.versions.modules]);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  rmSync(stampFile, { force: true });
  writeFileSync(path.join(folder, "pnpm-workspace.yaml"), JSON.stringify(workspace));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  const options = ["--no-frozen-lockfile", "--prefer-offline", "--prod=false"];
  await runPnpm(["--dir", folder, "install", ...options], {
    title: "pnpm install of the oldest versions",
  });
  writeFileSync(stampFile, wanted);
}
