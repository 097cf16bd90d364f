import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fill, type Kind, type KindId, KINDS } from "../src/kinds/kinds.ts";
import { kinds } from "./cases/kinds.ts";

const types = readFileSync(new URL("../../../docs/types.md", import.meta.url), "utf8");

it("lists every kind of value as the scanner has it", () => {
  const [, documented] = /<!-- kinds -->\n([\s\S]*?)\n<!-- \/kinds -->/.exec(types) ?? [];
  expect(documented).toBe(table());
});

function table(): string {
  const rows = Object.entries(KINDS).map(([id, kind]) => row(kind, kinds[id as KindId][0]));
  return [
    "| value | in a checkpoint | in strict JSON | for JSON, or instead |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function row({ what, msgpack, json }: Kind, type: string): string {
  const advice = new Set([msgpack, json].map((verdict) => verdict?.conversion ?? ""));
  const texts = [...advice].filter((text) => text !== "").map((text) => fill(text, type));
  const cells = [
    fill(what, type),
    msgpack === undefined ? "✓" : "refused",
    json === undefined ? "✓" : "no",
    texts.join("; in JSON "),
  ];
  return `| ${cells.join(" | ")} |`;
}
