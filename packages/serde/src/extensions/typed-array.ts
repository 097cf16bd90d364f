import { endianness } from "node:os";
import { types } from "node:util";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import { bytesOf, isOwnView } from "./bytes.ts";

type TypedArray = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };
type TypedArrayClass = {
  new (buffer: ArrayBuffer): TypedArray;
  readonly prototype: TypedArray;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
};

/** Absent before Node 24. */
const Float16 = (globalThis as { Float16Array?: TypedArrayClass }).Float16Array;

/** numpy's names for the element types, without the byte order. */
export const TYPED_ARRAYS: ReadonlyMap<string, TypedArrayClass> = new Map<string, TypedArrayClass>([
  ["i1", Int8Array],
  ["i2", Int16Array],
  ["u2", Uint16Array],
  ["i4", Int32Array],
  ["u4", Uint32Array],
  ["f4", Float32Array],
  ["f8", Float64Array],
  ["i8", BigInt64Array],
  ["u8", BigUint64Array],
  ...(Float16 === undefined ? [] : [["f2", Float16] as const]),
]);

const NATIVE_ORDER = endianness() === "LE" ? "<" : ">";

/** The dump for one element type: numpy's layout for an array of one dimension. */
export function dumpTypedArray(kind: string): (value: TypedArray, writer: ValueWriter) => void {
  const dtype = dtypeOf(kind);
  const { name, BYTES_PER_ELEMENT } = TYPED_ARRAYS.get(kind) as TypedArrayClass;
  const isKind = (value: unknown): boolean => isTypedArray(value, name);
  return (value, writer) => {
    if (!isOwnView(value, isKind, name, writer)) return;
    const bytes = bytesOf(value);
    writer.begin(Ext.NUMPY);
    writer.array(4);
    writer.text(dtype);
    writer.array(1);
    writer.integer(bytes.length / BYTES_PER_ELEMENT);
    writer.text("C");
    writer.binary(bytes);
    writer.end();
  };
}

/** A typed array, or undefined for arrays that JavaScript has no class for. */
export function raiseTypedArray(reader: ValueReader): object | undefined {
  reader.array(4);
  const dtype = reader.text();
  const found = TYPED_ARRAYS.get(dtype.slice(1));
  if (found === undefined || dtype !== dtypeOf(dtype.slice(1))) return undefined;
  if (reader.array() !== 1) return undefined;
  const length = reader.value();
  if (reader.text() !== "C") return undefined;
  const bytes = reader.binary();
  if (typeof length !== "number" || bytes.length !== length * found.BYTES_PER_ELEMENT)
    throw reader.malformed("a typed array whose shape does not match its bytes");
  return reader.enter(new found(bytes.buffer));
}

/** numpy's full name of an element type on this machine; one byte has no order. */
function dtypeOf(kind: string): string {
  return (kind.endsWith("1") ? "|" : NATIVE_ORDER) + kind;
}

function isTypedArray(value: unknown, name: string): boolean {
  return types.isTypedArray(value) && value[Symbol.toStringTag] === name;
}
