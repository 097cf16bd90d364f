// What comes before the tests. Each step does nothing, quickly, when there is nothing to do.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readJson, root, runNpm, runPnpm, runTool, StepError, tools } from "./process.mjs";
import { workspaces } from "./workspace.mjs";

/** Written after an install that went well; gone together with node_modules. */
const stampFile = path.join(root, "node_modules/.install-stamp.json");

/** The pnpm that package.json asks for, in a folder of its own. */
export async function installPnpm() {
  const wanted = readJson(path.join(root, "package.json")).packageManager;
  const manifest = path.join(tools, "node_modules/pnpm/package.json");
  if (existsSync(manifest) && `pnpm@${readJson(manifest).version}` === wanted) return;
  progress(`installing ${wanted}`);
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  await runNpm(["install", "--prefix", ".tools", ...quiet, wanted], { title: "npm install" });
}

/** Everything in the lockfile, unless nothing has changed since the last time. */
export async function install() {
  await installPnpm();
  const stamp = installStamp();
  const last = existsSync(stampFile) ? readJson(stampFile) : undefined;
  if (last?.manifests !== stamp.manifests) {
    progress("installing (some minutes the first time: a native addon may have to be compiled)");
    rmSync(stampFile, { force: true });
    // Development dependencies are needed whatever NODE_ENV says.
    const args = [
      "install",
      "--frozen-lockfile",
      "--prod=false",
      "--config.confirmModulesPurge=false",
    ];
    await runPnpm(args, { title: "pnpm install" });
  }
  if (last !== undefined && last.platform !== stamp.platform) {
    progress("rebuilding native addons for this version of Node.js (some minutes)");
    await runPnpm(["rebuild", "--recursive"], { title: "pnpm rebuild" });
  }
  writeFileSync(stampFile, JSON.stringify(stamp));
}

function installStamp() {
  const manifests = [root, ...workspaces().map(({ folder }) => folder)].map((folder) =>
    path.join(folder, "package.json"),
  );
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    hash.update(readFileSync(path.resolve(root, file))).update("\0");
  }
  return {
    manifests: hash.digest("hex"),
    // An addon built for one ABI does not load in another.
    platform: `${process.platform}-${process.arch}-${process.versions.modules}`,
  };
}

/** Every package, in order of dependency, with its types and the checks of what is published. */
export async function build() {
  progress("building");
  await turbo("build");
}

/** Lint, format, types. All of them run; resolves with the number that failed. */
export async function check() {
  progress("checking");
  const results = await Promise.allSettled([
    runTool("oxlint", ["--deny-warnings"], { title: "lint" }),
    runTool("oxfmt", ["--check"], { title: "format check (npm run format mends it)" }),
    turbo("typecheck"),
  ]);
  const errors = results.flatMap((it) => (it.status === "rejected" ? [it.reason] : []));
  for (const error of errors) {
    if (!(error instanceof StepError)) throw error;
    console.log(error.message);
  }
  return errors.length;
}

function turbo(task) {
  const args = ["run", task, "--continue", "--output-logs=errors-only", "--log-order=grouped"];
  return runTool("turbo", args, { title: task });
}

/** One line for people; stdout is left to results. */
export function progress(line) {
  process.stderr.write(`${line} ...\n`);
}
