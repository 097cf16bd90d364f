import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Ext, MsgpackSerializer } from "../src/index.ts";
import { goldenCases, goldenTypes } from "./cases/golden.ts";
import { assertSame } from "./same.ts";

interface Golden {
  readonly name: string;
  readonly tag: string;
  readonly file: string;
}

const root = new URL("golden/", import.meta.url);
const versions = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const serializer = new MsgpackSerializer({ types: goldenTypes });
const values = new Map(goldenCases.map(({ name, value }) => [name, value]));

describe.each(versions)("payloads of version %s", (version) => {
  const folder = new URL(`${version}/`, root);
  const index = JSON.parse(readFileSync(new URL("index.json", folder), "utf8")) as Golden[];

  it.each(index)("load: $name", ({ name, tag, file }) => {
    const value = values.get(name);
    if (value === undefined) throw new Error("a case that golden payloads need is gone");
    assertSame(serializer.read(tag, readFileSync(new URL(file, folder))), value());
  });

  it("hold every code of the contract that was in use", () => {
    const seen = new Set<number>();
    for (const { file } of index) collect(readFileSync(new URL(file, folder)), seen);
    // Behind REF come codes for savers, which no plain value makes; nothing makes Pydantic 1.
    const used = Object.values(Ext).filter((code) => code <= Ext.REF && code !== Ext.PYDANTIC_V1);
    expect(used.filter((code) => !seen.has(code))).toStrictEqual([]);
  });
});

/** Codes that stand behind an extension's head; some bytes only look like one, which does no harm. */
function collect(bytes: Buffer, seen: Set<number>): void {
  bytes.forEach((head, i) => {
    const behind = { 0xc7: 2, 0xc8: 3, 0xc9: 5 }[head] ?? (head >= 0xd4 && head <= 0xd8 ? 1 : 0);
    if (behind > 0 && i + behind < bytes.length) seen.add(bytes[i + behind] as number);
  });
}
