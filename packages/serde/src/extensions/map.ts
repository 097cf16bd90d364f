import { types } from "node:util";
import { limitExceeded } from "../limits.ts";
import { mapStep } from "../path.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";

/** `Map`: as a MessagePack map where only a Map can be meant and Python keeps it, else as a list of pairs. */
export function dumpMap(value: Map<unknown, unknown>, writer: Writer): void {
  if (!types.isMap(value) || !hasNoExtras(value)) return writer.refuse(value);
  const entries = [...value];
  const keys = entries.map(([key]) => key);
  checkNumericKeys(keys, writer.limits, () => writer.path());
  const write = (): void => {
    entries.forEach(([key, item], i) => {
      writer.child({ text: `.keys()[${i}]` }, key);
      writer.child(mapStep(key), item);
    });
  };
  if (keys.some((key) => typeof key !== "string") && haveDistinctHashes(keys)) {
    writer.sink.map(entries.length);
    return write();
  }
  writer.document(Ext.MAP, () => {
    writer.sink.array(entries.length * 2);
    write();
  });
}

export function raiseMap(body: unknown, reader: Reader): Map<unknown, unknown> {
  const pairs = reader.list(body);
  if (pairs.length % 2 !== 0) throw reader.malformed("a Map with a key without value");
  const map = reader.enter(new Map<unknown, unknown>());
  fillMap(map, pairs, reader);
  return map;
}

/** Add pairs of raw keys and values, in order. */
export function fillMap(
  map: Map<unknown, unknown>,
  pairs: readonly unknown[],
  reader: Reader,
): void {
  let numeric = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const key = reader.child({ text: `.keys()[${i / 2}]` }, pairs[i]);
    if (isNumeric(key) && ++numeric > reader.limits.maxNumericKeys) {
      throw limitExceeded(
        "maxNumericKeys",
        "A Map has too many numeric keys",
        reader.limits,
        reader.path(),
      );
    }
    map.set(key, reader.child(mapStep(key), pairs[i + 1]));
  }
}

/** Numbers hash by a mix that can be turned around, so that a payload could make them collide. */
export function checkNumericKeys(
  keys: readonly unknown[],
  limits: Writer["limits"],
  path: () => string,
): void {
  const numeric = keys.reduce<number>((count, key) => count + (isNumeric(key) ? 1 : 0), 0);
  if (numeric > limits.maxNumericKeys) {
    throw limitExceeded(
      "maxNumericKeys",
      `A Map or Set has ${numeric} numeric keys`,
      limits,
      path(),
    );
  }
}

export function isNumeric(key: unknown): boolean {
  return typeof key === "number" || typeof key === "bigint";
}

/**
 * Whether Python's dict or set keeps these keys apart, as JavaScript does: they hash, and none is
 * equal to another only there (`1`, `1n` and `true`; `-0`).
 */
export function haveDistinctHashes(keys: readonly unknown[]): boolean {
  const hasBoolean = keys.some((key) => typeof key === "boolean");
  return keys.every((key) => {
    switch (typeof key) {
      case "string":
        return true;
      case "number":
        return !hasBoolean && !Number.isNaN(key) && !Object.is(key, -0);
      case "boolean":
        return true;
      default:
        return key === null;
    }
  });
}
