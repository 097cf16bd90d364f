// Runs a benchmark of a package, after a build:
//
//   node scripts/bench.mjs serde run 20 > result.json       bench/run.ts of packages/serde
//   node scripts/bench.mjs serde report result.json         bench/report.ts
//
// As plain JavaScript: what runs TypeScript directly passes every module through a compiler, which
// slows down what is measured.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./process.mjs";

const [name = "", program = "run", ...args] = process.argv.slice(2);
const folder = path.join(root, "packages", name);
const ts = createRequire(path.join(folder, "package.json"))("typescript");
const compilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

// Beside bench/, so that relative paths and packages are found from here too.
const out = path.join(folder, ".bench");
mkdirSync(out, { recursive: true });
try {
  for (const file of readdirSync(path.join(folder, "bench"))) {
    const source = readFileSync(path.join(folder, "bench", file), "utf8");
    const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file });
    writeFileSync(path.join(out, file.replace(/\.ts$/, ".js")), outputText);
  }
  const { status } = spawnSync(process.execPath, [path.join(out, `${program}.js`), ...args], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
