// Child processes: quiet when all is well, with their whole output when not.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Where the pinned pnpm lives; ignored by git. */
export const tools = path.join(root, ".tools");

/** A command that ended badly; the message holds everything it printed. */
export class StepError extends Error {
  constructor(title, code, signal, output) {
    const exit = code === null ? `ended by ${signal}` : `exit code ${code}`;
    super(`${output}\n${title} failed (${exit})`.trimStart());
    this.exitCode = code ?? 1;
  }
}

/** Run the workspace's pnpm. */
export function runPnpm(args, options) {
  return runNode(path.join(tools, "node_modules/pnpm/bin/pnpm.cjs"), args, options);
}

/** Run a tool among the root's dependencies, without the half second that pnpm would add. */
export function runTool(name, args, options) {
  const manifest = path.join(root, "node_modules", name, "package.json");
  const { bin } = readJson(manifest);
  const script = typeof bin === "string" ? bin : bin[name];
  return runNode(path.resolve(path.dirname(manifest), script), args, options);
}

/**
 * Run npm; through the very file that runs us when there is one, because on Windows
 * `npm` itself is a batch file and needs a shell.
 */
export function runNpm(args, options) {
  const script = process.env.npm_execpath;
  return script !== undefined && path.basename(script) === "npm-cli.js"
    ? runNode(script, args, options)
    : run("npm", args, { ...options, shell: process.platform === "win32" });
}

function runNode(script, args, options) {
  return run(process.execPath, [script, ...args], options);
}

/**
 * Run a command to its end. With `show`, its output goes straight through.
 *
 * @throws {StepError} when it does not exit with 0.
 */
function run(command, args, { title, show = false, shell = false, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...environment(), ...env },
      shell,
      stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (text) => {
      output += text;
    };
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new StepError(title, code, signal, output));
    });
  });
}

function environment() {
  const env = { ...process.env };
  // turbo and the package checks look for `pnpm` on the path.
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  env[key] = [path.join(tools, "node_modules/.bin"), env[key]].join(path.delimiter);
  // `npm test --silent` must not silence what a failing step has to say.
  delete env.npm_config_loglevel;
  return {
    ...env,
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    npm_config_update_notifier: "false",
  };
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
