// The Python that has LangGraph, and what its serializer says.
//
//   node interop/python.mjs setup   make interop/.venv with the packages of requirements.txt
//   node interop/python.mjs write   write the fixtures in test/interop anew
//
// THREADKEEP_PYTHON names another Python that has them.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const fixtures = path.join(folder, "../test/interop");

/** The interpreter, or undefined where none has LangGraph. */
export function findPython() {
  const candidates = [
    process.env.THREADKEEP_PYTHON,
    path.join(folder, ".venv/bin/python"),
    path.join(folder, ".venv/Scripts/python.exe"),
  ].filter((it) => it !== undefined && it !== "" && existsSync(it));
  return candidates.find(
    (it) => spawnSync(it, ["-c", "import langgraph.checkpoint.serde.jsonplus, numpy"]).status === 0,
  );
}

/** Python's payload for each of its values. */
export function vectors(python) {
  return run(python, ["vectors"], "");
}

/** What Python reads of each payload. */
export function check(python, cases) {
  return run(python, ["check"], JSON.stringify(cases));
}

/** One row a line, so that a change shows which one. */
export function writeFixture(name, rows) {
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
  writeFileSync(path.join(fixtures, name), text);
}

function run(python, args, input) {
  const script = path.join(folder, "python_side.py");
  const options = {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONHASHSEED: "0" },
  };
  return JSON.parse(execFileSync(python, [script, ...args], options));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , job] = process.argv;
  if (job === "setup") {
    execFileSync("python3", ["-m", "venv", path.join(folder, ".venv")], { stdio: "inherit" });
    const pip = ["-m", "pip", "install", "--quiet", "-r", path.join(folder, "requirements.txt")];
    execFileSync(path.join(folder, ".venv/bin/python"), pip, { stdio: "inherit" });
  } else if (job === "write") {
    const python = findPython();
    if (python === undefined) throw new Error("No Python with LangGraph: run setup first");
    writeFixture("vectors.json", vectors(python));
    console.log(
      "Wrote test/interop/vectors.json; run the tests with THREADKEEP_WRITE=1 for the verdicts",
    );
  } else {
    console.log("Usage: node interop/python.mjs setup|write");
    process.exitCode = 1;
  }
}
