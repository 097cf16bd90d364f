import { endianness } from "node:os";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { bytesOf } from "./bytes.ts";

type TypedArray = ArrayBufferView & { readonly BYTES_PER_ELEMENT: number };
type TypedArrayClass = {
  new (buffer: ArrayBuffer): TypedArray;
  readonly prototype: TypedArray;
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
export function dumpTypedArray(kind: string): (value: TypedArray, writer: Writer) => void {
  const dtype = (kind.endsWith("1") ? "|" : NATIVE_ORDER) + kind;
  return (value, writer) =>
    writer.document(Ext.NUMPY, () => {
      const bytes = bytesOf(value);
      writer.sink.array(4);
      writer.sink.text(dtype);
      writer.sink.array(1);
      writer.sink.number(bytes.length / value.BYTES_PER_ELEMENT);
      writer.sink.text("C");
      writer.sink.binary(bytes);
    });
}

/** A typed array, or undefined for arrays that JavaScript has no class for. */
export function raiseTypedArray(body: readonly unknown[], reader: Reader): object | undefined {
  const [rawDtype, shape, , rawBytes] = body;
  const dtype = reader.text(rawDtype);
  const order = dtype[0];
  const found = TYPED_ARRAYS.get(dtype.slice(1));
  if (
    found === undefined ||
    !(order === NATIVE_ORDER || order === "|") ||
    !Array.isArray(shape) ||
    shape.length !== 1
  ) {
    return undefined;
  }
  if (!(rawBytes instanceof Uint8Array) || rawBytes.length !== shape[0] * found.BYTES_PER_ELEMENT) {
    throw reader.malformed("a typed array whose shape does not match its bytes");
  }
  return reader.enter(new found(rawBytes.slice().buffer as ArrayBuffer));
}
