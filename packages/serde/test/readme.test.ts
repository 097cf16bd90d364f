import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] as string);
const entry = pathToFileURL(
  path.resolve(fileURLToPath(new URL("../src/index.ts", import.meta.url))),
);

it("has blocks", () => {
  expect(blocks.length).toBeGreaterThanOrEqual(4);
});

it.each(blocks.map((code, i) => [`block ${i + 1}: ${code.split("\n").at(3) ?? ""}`, code]))(
  "runs, and gives what its comments say: %s",
  async (_, code) => {
    const folder = mkdtempSync(fileURLToPath(new URL("readme-", import.meta.url)));
    try {
      const file = path.join(folder, "block.ts");
      // `expression; // result` becomes a comparison of what both print.
      const checked = code
        .replaceAll('"@threadkeep/serde"', JSON.stringify(entry.href))
        .replace(/^( *)(?!const |new |import )(\S.*); \/\/ (.+)$/gm, "$1__same(() => ($2), $3n0);")
        .replace(/, (.+)n0\);$/gm, (_, result: string) => `, ${JSON.stringify(result)});`);
      const prelude =
        'import { inspect } from "node:util";\nexport const seen = [];\nconst __same = (get, want) => { const got = get(); seen.push([typeof got === "string" ? JSON.stringify(got) : inspect(got), want]); };\n';
      writeFileSync(file, prelude + checked);
      const { seen } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
        seen: [string, string][];
      };
      expect(seen.length).toBeGreaterThan(0);
      for (const [got, want] of seen) expect(got).toBe(want);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
