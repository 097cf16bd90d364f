import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

/** One bash process that keeps its folder, variables and functions from command to command. */
export class Bash {
  /** Stands for what a live object holds and storage must never see. */
  readonly secret: string;
  readonly #process: ChildProcessWithoutNullStreams;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, secret: string) {
    this.secret = secret;
    this.#process = spawn("bash", ["--noprofile", "--norc"], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", TOKEN: secret },
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** What a command prints; commands run one after the other. */
  run(command: string): Promise<string> {
    const result = this.#last.then(() => this.#runNext(command));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.stdin.end();
    await ended;
  }

  #runNext(command: string): Promise<string> {
    const mark = `__done_${randomUUID()}__`;
    const { stdin, stdout } = this.#process;
    return new Promise((resolve, reject) => {
      let output = "";
      const onData = (chunk: Buffer): void => {
        output += chunk.toString("utf8");
        const end = output.indexOf(mark);
        if (end >= 0) finish(() => resolve(output.slice(0, end).trimEnd()));
      };
      const onClose = (): void => finish(() => reject(new Error("bash has ended")));
      const finish = (settle: () => void): void => {
        stdout.off("data", onData);
        this.#process.off("close", onClose);
        settle();
      };
      stdout.on("data", onData);
      this.#process.once("close", onClose);
      stdin.write(`{ ${command}\n} 2>&1; printf '%s' '${mark}'\n`);
    });
  }
}
