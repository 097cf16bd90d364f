// Writes the golden payloads of a version: pnpm tsx test/golden/write.ts 0.1
//
// A folder that was released is never written again.

import { mkdirSync, writeFileSync } from "node:fs";
import { MsgpackSerializer } from "../../src/index.ts";
import { goldenCases, goldenTypes } from "../cases/golden.ts";

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+$/.test(version)) throw new Error("Which version? 0.1");
const folder = new URL(`${version}/`, import.meta.url);
const serializer = new MsgpackSerializer({ types: goldenTypes });
mkdirSync(folder, { recursive: true });
const index = goldenCases.map(({ name, value }, i) => {
  const { tag, bytes } = serializer.write(value());
  const file = `${String(i).padStart(3, "0")}.bin`;
  writeFileSync(new URL(file, folder), bytes);
  return { name, tag, file };
});
const rows = index.map((row) => JSON.stringify(row)).join(",\n");
writeFileSync(new URL("index.json", folder), `[\n${rows}\n]\n`);
