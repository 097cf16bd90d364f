import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** A program in a document, and what the document says that it prints. */
export interface Block {
  readonly name: string;
  readonly code: string;
  /** Undefined when the document shows no output. */
  readonly output: string | undefined;
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BLOCK = /^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

/** Every TypeScript block of the project's documents: each is a complete program. */
export function readBlocks(): Block[] {
  return documents().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return [...text.matchAll(BLOCK)].map((match) => ({
      name: `${relative(ROOT, file)}:${text.slice(0, match.index).split("\n").length}`,
      code: match[1] as string,
      output: match[2],
    }));
  });
}

function documents(): string[] {
  const packages = readdirSync(join(ROOT, "packages")).map((name) =>
    join(ROOT, "packages", name, "README.md"),
  );
  const docs = readdirSync(join(ROOT, "docs")).map((name) => join(ROOT, "docs", name));
  return [join(ROOT, "README.md"), ...packages, ...docs].filter(
    (file) => file.endsWith(".md") && exists(file),
  );
}

function exists(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
