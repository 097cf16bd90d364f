/**
 * An order of typed domain objects that waits for approval while the program is deployed anew: with
 * another class for money, a renamed field and a new required one.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPart } from "./run-part.ts";

const home = mkdtempSync(join(tmpdir(), "threadkeep-orders-"));
try {
  const file = join(home, "orders.db");
  const placed = await runPart("first", file);
  print(`Deployed first: process ${placed.pid} placed an order of ${placed.total}`);
  print(`  and waits for ${placed.waitsFor.join(", ")}. Its state: ${placed.fields.join(", ")}`);
  const finished = await runPart("second", file);
  print(`Deployed again: process ${finished.pid} found the order and asked`);
  print(`  "${finished.question}", and it was ${finished.approved ? "approved" : "refused"}`);
  print(`  amount: ${finished.amount} (${finished.amountIs})`);
  for (const cart of finished.carts) print(`  ${cart}`);
  print(`  placed at ${finished.placedAt}, channel ${finished.channel}`);
  print(`  Its state: ${finished.fields.join(", ")}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
