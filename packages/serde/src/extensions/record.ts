import type { Reader } from "../read/reader.ts";
import type { Writer } from "../write/writer.ts";

/** Objects without a prototype. */
export function dumpNullPrototype(value: object, writer: Writer): void {
  writer.entries(1, value as Record<string, unknown>);
}

/** Records with any prototype and any keys. */
export function raiseRecord(body: unknown, reader: Reader): object {
  const [prototype, ...pairs] = reader.list(body);
  if ((prototype !== 0 && prototype !== 1) || pairs.length % 2 !== 0)
    throw reader.malformed("a broken record");
  const record = reader.enter(prototype === 1 ? (Object.create(null) as object) : {});
  for (let i = 0; i < pairs.length; i += 2) {
    const key = reader.text(pairs[i]);
    define(record, key, reader.child(key, pairs[i + 1]));
  }
  return record;
}

/** Set an own field whatever its name: assignment would reach setters and the prototype. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = true): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}
