import { types } from "node:util";
import { limitExceeded } from "../limits.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";
import { checkNumericKeys, haveDistinctHashes, isNumeric } from "./map.ts";

/** `Set`: Python's where Python's set keeps every item, else our own. */
export function dumpSet(value: Set<unknown>, writer: Writer): void {
  if (!types.isSet(value) || !hasNoExtras(value)) return writer.refuse(value);
  const items = [...value];
  checkNumericKeys(items, writer.limits, () => writer.path());
  const write = (): void => {
    writer.sink.array(items.length);
    items.forEach((item, i) => writer.child({ text: `.values()[${i}]` }, item));
  };
  if (!haveDistinctHashes(items)) return writer.document(Ext.SET, write);
  writer.document(Ext.SINGLE_ARG, () => {
    writer.typeHead(3, "builtins", "set");
    write();
  });
}

export function raiseSet(body: unknown, reader: Reader): Set<unknown> {
  const items = reader.list(body);
  const set = reader.enter(new Set<unknown>());
  let numeric = 0;
  items.forEach((raw, i) => {
    const item = reader.child({ text: `.values()[${i}]` }, raw);
    if (isNumeric(item) && ++numeric > reader.limits.maxNumericKeys) {
      throw limitExceeded(
        "maxNumericKeys",
        "A Set has too many numbers",
        reader.limits,
        reader.path(),
      );
    }
    set.add(item);
  });
  return set;
}
