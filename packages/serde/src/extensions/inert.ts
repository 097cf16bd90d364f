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

export function raiseInertArray(reader: ValueReader): InertValue {
  const settle = reader.enterLater();
  const body = reader.body();
  const [contents, measure] = reader.measured(() => {
    reader.array(4);
    const [dtype, shape, order, bytes] = [
      reader.value(),
      reader.value(),
      reader.value(),
      reader.value(),
    ];
    return { dtype, shape, order, bytes };
  });
  return settle(new InertValue(NDARRAY, contents, { code: Ext.NUMPY, body, measure, rest: [] }));
}
