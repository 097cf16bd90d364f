import { types } from "node:util";
import { limitExceeded } from "../limits.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import { checkNumericKeys, numericWeight } from "./map.ts";
import { areItemsOfSet } from "./python-key.ts";

/** `Set`: Python's where Python's set keeps every item, else our own. */
export function dumpSet(value: Set<unknown>, writer: ValueWriter): void {
  if (!types.isSet(value)) return writer.forged(value);
  if (writer.hasExtras(value, "Set")) return;
  const items = [...value].filter((item, i) => !writer.leavesOut(itemStep(i), item));
  checkNumericKeys(items, writer.limits, () => writer.path());
  if (areItemsOfSet(items)) {
    writer.begin(Ext.SINGLE_ARG);
    writer.typeHead(3, "builtins", "set");
  } else {
    writer.begin(Ext.SET);
  }
  writer.array(items.length);
  items.forEach((item, i) => writer.child(itemStep(i), item));
  writer.end();
}

export function raiseSet(reader: ValueReader): Set<unknown> {
  const size = reader.array();
  const set = reader.enter(new Set<unknown>());
  let numeric = 0;
  for (let i = 0; i < size; i++) {
    const item = reader.child(itemStep(i));
    numeric += numericWeight(item);
    if (numeric > reader.limits.maxNumericKeys) {
      throw limitExceeded(
        "maxNumericKeys",
        "A Set has too many numbers",
        reader.limits,
        reader.path(),
      );
    }
    set.add(item);
  }
  return set;
}

function itemStep(i: number): { readonly text: string } {
  return { text: `.values()[${i}]` };
}
