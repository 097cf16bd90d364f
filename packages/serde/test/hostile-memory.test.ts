import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hostile } from "./hostile.ts";

const built = new URL("../dist/index.mjs", import.meta.url);

/** Runs in a process of its own, whose heap is small: what takes too much memory ends it. */
function load(payload: Uint8Array, heapMb: number) {
  const script = `
    const { MsgpackSerializer } = await import(${JSON.stringify(built.href)});
    const chunks = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    const before = process.memoryUsage().rss;
    let outcome = "value";
    try { new MsgpackSerializer().loads(Buffer.concat(chunks)); } catch (error) { outcome = error.code; }
    console.log(JSON.stringify({ outcome, grown: process.memoryUsage().rss - before }));`;
  const args = [`--max-old-space-size=${heapMb}`, "--input-type=module", "-e", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    input: payload,
    encoding: "utf8",
    timeout: 20_000,
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  if (stdout === "") throw new Error(stderr.slice(0, 500));
  return JSON.parse(stdout) as { outcome: string; grown: number };
}

describe("in a heap of 64 MB", () => {
  const small = hostile.filter(({ name }) => /header|nested|headers|million/.test(name));

  it.each(small)("is refused: $name", { timeout: 30_000 }, ({ bytes }) => {
    const payload = bytes();
    const { outcome, grown } = load(payload, 64);
    expect(["malformed_payload", "limit_exceeded", "type_not_allowed"]).toContain(outcome);
    expect(grown).toBeLessThan(40 * 1024 * 1024 + payload.length * 20);
  });
});
