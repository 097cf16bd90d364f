import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const built = new URL("../dist/index.mjs", import.meta.url);

/** Peak of what writing a value takes beside the value itself, as a multiple of the payload. */
function peak(value: string): number {
  const script = `
    const { MsgpackSerializer } = await import(${JSON.stringify(built.href)});
    const serializer = new MsgpackSerializer();
    serializer.dumps({ warm: 1 });
    const value = ${value};
    globalThis.gc();
    const before = process.resourceUsage().maxRSS * 1024;
    const base = process.memoryUsage().rss;
    const { length } = serializer.dumps(value);
    const after = process.resourceUsage().maxRSS * 1024;
    console.log((after - Math.max(base, 0)) / length);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", script],
    { encoding: "utf8", timeout: 60_000, cwd: fileURLToPath(new URL("..", import.meta.url)) },
  );
  if (stdout === "") throw new Error(stderr.slice(0, 500));
  return Number(stdout);
}

/** A string of its own, not one put together of others, which the engine would join while it is written. */
const TEXT = '(_, i) => Buffer.alloc(90_000, String(i)).toString("latin1")';

describe("memory while writing", () => {
  it.each([
    ["bytes", "{ a: new Uint8Array(100_000_000).fill(1) }"],
    ["much text", `Array.from({ length: 1000 }, ${TEXT})`],
    [
      "long texts beyond ASCII",
      `Array.from({ length: 100 }, () => Buffer.alloc(1_000_000, "é").toString())`,
    ],
    [
      "text beside a reference",
      `(() => { const list = Array.from({ length: 1000 }, ${TEXT}); return [list, list]; })()`,
    ],
  ])("stays within three times the payload: %s", { timeout: 60_000 }, (_, value) => {
    expect(peak(value)).toBeLessThan(3);
  });

  it("stays within three and a half times the payload where it knows many objects", () => {
    const value = `await import("@langchain/core/messages").then(({ HumanMessage }) =>
      Array.from({ length: 40_000 }, (_, i) => new HumanMessage({ id: "id-" + i, content: Buffer.alloc(600, String(i)).toString() })))`;
    expect(peak(value)).toBeLessThan(3.5);
  });
});
