// Feeds damaged payloads and random bytes to the reader for a time:
//
//   pnpm tsx fuzz/load.fuzz.ts [seconds] [seed]
//
// Whatever it gives must be a value that can be written, or a SerdeError, in time that its length
// bounds. What breaks that is kept in fuzz/corpus, which the tests replay.

import { mkdirSync, writeFileSync } from "node:fs";
import { MsgpackSerializer } from "../src/index.ts";
import { cases } from "../test/cases/index.ts";
import { check, damaged, generator } from "./damage.ts";

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = generator(seed);
const serializer = new MsgpackSerializer({ onBlocked: "inert" });
const seeds = cases
  .filter(({ large }) => large !== true)
  .map(({ value }) => serializer.dumps(value()));

console.log(`seed ${seed}, ${seconds} s`);
const end = performance.now() + seconds * 1_000;
let runs = 0;
let failures = 0;
while (performance.now() < end) {
  const bytes = damaged(seeds, random);
  runs++;
  const failure = check(serializer, bytes);
  if (failure === undefined) continue;
  failures++;
  const folder = new URL("corpus/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${seed}-${runs}.bin`, folder);
  writeFileSync(file, bytes);
  console.log(`${failure}: kept as ${file.pathname.split("/").pop()}`);
}
console.log(`${runs} payloads, ${failures} failures`);
if (failures > 0) process.exitCode = 1;
