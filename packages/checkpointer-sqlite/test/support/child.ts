import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = createRequire(new URL("../../../../package.json", import.meta.url));

/** Another process, which runs a program of `test/children` and answers by lines. */
export class Child {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<{ code: number | null; errors: string }>;
  #wake: () => void = () => {};

  constructor(program: string, args: readonly string[]) {
    const file = fileURLToPath(new URL(`../children/${program}.ts`, import.meta.url));
    const loader = pathToFileURL(root.resolve("tsx")).href;
    this.#process = spawn(process.execPath, ["--import", loader, file, ...args], {
      stdio: ["pipe", "pipe", "pipe"],
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name)),
      ),
    });
    let errors = "";
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
    createInterface({ input: this.#process.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      this.lines.push(line);
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once("close", (code) => {
        resolve({ code, errors });
        this.#wake();
      });
    });
  }

  /** Resolves when a line was printed that begins so. */
  async until(start: string): Promise<void> {
    let hasEnded = false;
    void this.#ended.then(() => (hasEnded = true));
    while (!this.lines.some((line) => line.startsWith(start))) {
      if (hasEnded) throw new Error(`the child ended early: ${(await this.#ended).errors}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Let it go on. */
  go(): void {
    this.#process.stdin?.end("go\n");
  }

  /** End it as a power cut would. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves when it has ended by itself; throws with what it said when it failed. */
  async end(): Promise<void> {
    const { code, errors } = await this.#ended;
    if (code !== 0) throw new Error(`the child ended with ${code}: ${errors}`);
  }
}
