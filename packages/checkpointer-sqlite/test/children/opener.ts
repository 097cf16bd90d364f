// node opener.ts <folder> <count>: waits for a line, then makes so many files, each at the same time as others that do.
import { writeSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { SqliteSaver } from "../../src/index.ts";

const [folder = "", count = "0"] = process.argv.slice(2);

writeSync(1, "ready\n");
await once(process.stdin, "data");
const start = (Math.floor(Date.now() / 1_000) + 2) * 1_000;
for (let i = 0; i < Number(count); i++) {
  await setTimeout(start + i * 20 - Date.now());
  await SqliteSaver.fromConnString(path.join(folder, `${i}.db`)).close();
}
