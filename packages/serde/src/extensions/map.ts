import { types } from "node:util";
import { type Limits, limitExceeded } from "../limits.ts";
import { mapStep } from "../path.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import { areKeysOfDict } from "./python-key.ts";

/** `Map`: as a MessagePack map where only a Map can be meant and Python keeps it, else as a list of pairs. */
export function dumpMap(value: Map<unknown, unknown>, writer: ValueWriter): void {
  if (!types.isMap(value)) return writer.forged(value);
  if (writer.hasExtras(value, "Map")) return;
  const entries = [...value].filter(
    ([key, item], i) => !writer.leavesOut(keyStep(i), key) && !writer.leavesOut(mapStep(key), item),
  );
  const keys = entries.map(([key]) => key);
  checkNumericKeys(keys, writer.limits, () => writer.path());
  const native = keys.some((key) => typeof key !== "string") && areKeysOfDict(keys);
  if (native) {
    writer.beginMap(keys.length);
  } else {
    writer.begin(Ext.MAP);
    writer.array(keys.length * 2);
  }
  let i = 0;
  for (const [key, item] of entries) {
    writer.child(keyStep(i++), key);
    writer.child(mapStep(key), item);
  }
  if (native) writer.endMap();
  else writer.end();
}

export function raiseMap(reader: ValueReader): Map<unknown, unknown> {
  const size = reader.array();
  if (size % 2 !== 0) throw reader.malformed("a Map with a key without value");
  const map = reader.enter(new Map<unknown, unknown>());
  const fill = new MapFill(map, reader);
  for (let i = 0; i < size / 2; i++) fill.next(i);
  return map;
}

const WIDE_WEIGHT = 16;

/** Reads entries into a Map. */
export class MapFill {
  readonly #map: Map<unknown, unknown>;
  readonly #reader: ValueReader;
  #numeric = 0;

  constructor(map: Map<unknown, unknown>, reader: ValueReader) {
    this.#map = map;
    this.#reader = reader;
  }

  /** The entry that comes next, the `i`-th of the Map. */
  next(i: number): void {
    const reader = this.#reader;
    const key = reader.child(keyStep(i));
    this.#numeric += numericWeight(key);
    if (this.#numeric > reader.limits.maxNumericKeys) {
      throw limitExceeded(
        "maxNumericKeys",
        "A Map has too many numeric keys",
        reader.limits,
        reader.path(),
      );
    }
    this.#map.set(key, reader.child(mapStep(key)));
  }
}

function keyStep(i: number): { readonly text: string } {
  return { text: `.keys()[${i}]` };
}

/** Numbers hash by a mix that can be turned around, so that a payload could make them collide. */
export function checkNumericKeys(
  keys: readonly unknown[],
  limits: Limits,
  path: () => string,
): void {
  const numeric = keys.reduce<number>((count, key) => count + numericWeight(key), 0);
  if (numeric > limits.maxNumericKeys) {
    throw limitExceeded("maxNumericKeys", "A Map or Set has too many numeric keys", limits, path());
  }
}

/**
 * What a key counts against `limits.maxNumericKeys`. Of a BigInt the engine hashes the last 64 bits, so
 * that larger ones collide without any art.
 */
export function numericWeight(key: unknown): number {
  if (typeof key === "number") return 1;
  if (typeof key !== "bigint") return 0;
  return BigInt.asIntN(64, key) === key || BigInt.asUintN(64, key) === key ? 1 : WIDE_WEIGHT;
}
