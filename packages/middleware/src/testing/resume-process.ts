import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PersistenceTestError } from "./errors.ts";

/** A module from which a fresh process builds the graph by itself. */
export interface ResumeProcess {
  /** File or URL of a module that Node can import. */
  readonly module: string | URL;
  /** Its export that opens the saver. @defaultValue `"open"` */
  readonly open?: string;
  /** Its export that builds the graph or agent over a saver. @defaultValue `"build"` */
  readonly build?: string;
  /** Arguments for Node, such as a loader for TypeScript. @defaultValue those of this process */
  readonly execArgv?: readonly string[];
}

/** What the worker is told. */
export interface ResumeJob {
  readonly module: string;
  readonly open: string;
  readonly build: string;
  readonly threadId: string;
  /** The resume value as JSON. */
  readonly resume: unknown;
}

/** Resume the thread in a process of its own; ends when that has ended. */
export async function resumeInProcess(
  options: ResumeProcess,
  threadId: string,
  resume: unknown,
): Promise<void> {
  const { module, open = "open", build = "build", execArgv = process.execArgv } = options;
  const job: ResumeJob = { module: toUrl(module), open, build, threadId, resume };
  const worker = fileURLToPath(new URL("./testing-worker.mjs", import.meta.url));
  const child = spawn(process.execPath, [...execArgv, worker], {
    stdio: ["pipe", "ignore", "pipe"],
    env: process.env,
  });
  child.stdin.end(JSON.stringify(job));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit, signal) => resolve(signal ?? exit));
  });
  if (code !== 0) {
    throw new PersistenceTestError(
      "resume_failed",
      `The resumed run failed in its process (${code}):\n${errors.trim()}`,
    );
  }
}

function toUrl(module: string | URL): string {
  if (module instanceof URL) return module.href;
  return module.startsWith("file:") ? module : new URL(module, `file://${process.cwd()}/`).href;
}
