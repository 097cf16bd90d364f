import { InertValue, inertSource } from "../inert.ts";
import type { Reader } from "../read/reader.ts";
import type { TypeKey } from "../types/definition.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";

/** An inert value is stored again as it was read: by its bytes, or by its contents where those held references. */
export function dumpInert(value: object, writer: Writer): void {
  const inert = value as InertValue;
  const { code, body, rest } = inertSource(inert);
  if (body !== undefined) return writer.closed(code, body);
  writer.document(code, () => {
    writer.typeHead(3 + rest.length, inert.module, inert.name);
    writer.child("contents", inert.contents);
    for (const item of rest) writer.value(item);
  });
}

/** The inert value for `[module, name, contents, …rest]`. */
export function raiseInert(
  code: number,
  key: TypeKey,
  items: readonly unknown[],
  body: Uint8Array | undefined,
  reader: Reader,
): InertValue {
  const settle = reader.enterLater();
  const contents = reader.child("contents", items[2]);
  const rest = items.slice(3).map((item) => reader.value(item));
  return settle(new InertValue(key, contents, { code, body: body?.slice(), rest })) as InertValue;
}

/** numpy arrays that no typed array stands for. */
export const NDARRAY: TypeKey = ["numpy", "ndarray"];

export function raiseInertArray(
  body: Uint8Array | undefined,
  items: readonly unknown[],
  reader: Reader,
): InertValue {
  const settle = reader.enterLater();
  const [dtype, shape, order, bytes] = items.map((item) => reader.value(item));
  return settle(
    new InertValue(
      NDARRAY,
      { dtype, shape, order, bytes },
      { code: Ext.NUMPY, body: body?.slice(), rest: [] },
    ),
  ) as InertValue;
}
