import { define } from "../define.ts";
import type { ValueReader } from "./value-reader.ts";
import type { ValueWriter } from "./value-writer.ts";

/** Objects without a prototype. */
export function dumpNullPrototype(value: object, writer: ValueWriter): void {
  writer.nullRecord(value as Record<string, unknown>);
}

/** Records with any prototype and any keys. */
export function raiseRecord(reader: ValueReader): object {
  const size = reader.array();
  const prototype = size % 2 === 1 ? reader.value() : undefined;
  if (prototype !== 0 && prototype !== 1) throw reader.malformed("a broken record");
  const record = reader.enter(prototype === 1 ? (Object.create(null) as object) : {});
  for (let i = 1; i < size; i += 2) {
    const key = reader.text();
    define(record, key, reader.child(key));
  }
  return record;
}
