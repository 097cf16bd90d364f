import { InertValue, inertSource } from "../inert.ts";
import type { ValueReader } from "./value-reader.ts";
import type { TypeKey } from "../types/definition.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

/** An inert value is stored again as it was read: by its bytes, or by its contents where those held references. */
export function dumpInert(value: object, writer: ValueWriter): void {
  const inert = value as InertValue;
  const { code, body, measure, rest } = inertSource(inert);
  if (body !== undefined) return writer.closed(code, body, measure);
  writer.begin(code);
  if (code === Ext.NUMPY) {
    writer.array(NUMPY_PARTS.length);
    for (const part of NUMPY_PARTS)
      writer.child(part, (inert.contents as Record<string, unknown>)[part]);
    return writer.end();
  }
  writer.typeHead(3 + rest.length, inert.module, inert.name);
  writer.child("contents", inert.contents);
  for (const item of rest) writer.value(item);
  writer.end();
}

/** The inert value for `[module, name, contents, …rest]`, whose contents come next. */
export function raiseInert(
  code: number,
  key: TypeKey,
  restSize: number,
  reader: ValueReader,
): InertValue {
  const settle = reader.enterLater();
  const body = reader.body();
  const rest: unknown[] = [];
  const [contents, measure] = reader.measured(() => {
    const contents =
      code === Ext.SINGLE_ARG || code === Ext.METHOD
        ? reader.child("contents")
        : reader.content("contents");
    for (let i = 0; i < restSize; i++) rest.push(reader.value());
    return contents;
  });
  return settle(new InertValue(key, contents, { code, body, measure, rest }));
}

/** numpy arrays that no typed array stands for. */
const NDARRAY: TypeKey = ["numpy", "ndarray"];
/** What Python writes of one, in order. */
const NUMPY_PARTS = ["dtype", "shape", "order", "bytes"] as const;

export function raiseInertArray(reader: ValueReader): InertValue {
  const settle = reader.enterLater();
  const body = reader.body();
  const [contents, measure] = reader.measured(() => {
    reader.array(NUMPY_PARTS.length);
    return Object.fromEntries(NUMPY_PARTS.map((part) => [part, reader.value()]));
  });
  return settle(new InertValue(NDARRAY, contents, { code: Ext.NUMPY, body, measure, rest: [] }));
}
