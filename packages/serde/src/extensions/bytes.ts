import { types } from "node:util";
import type { Reader } from "../read/reader.ts";
import { ByteKind, Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";

/** `Uint8Array` is MessagePack's own binary; a view keeps only its own bytes. */
export function dumpUint8Array(value: Uint8Array, writer: Writer): void {
  writer.sink.binary(value);
}

export function dumpBuffer(value: Buffer, writer: Writer): void {
  writer.extension(Ext.BYTES, kinded(ByteKind.BUFFER, value));
}

export function dumpClamped(value: Uint8ClampedArray, writer: Writer): void {
  writer.extension(Ext.BYTES, kinded(ByteKind.CLAMPED, bytesOf(value)));
}

export function dumpArrayBuffer(value: ArrayBuffer, writer: Writer): void {
  if (!types.isArrayBuffer(value) || !hasNoExtras(value)) return writer.refuse(value);
  writer.extension(Ext.BYTES, kinded(ByteKind.ARRAY_BUFFER, new Uint8Array(value)));
}

export function dumpDataView(value: DataView, writer: Writer): void {
  if (!types.isDataView(value) || !hasNoExtras(value)) return writer.refuse(value);
  writer.extension(Ext.BYTES, kinded(ByteKind.DATA_VIEW, bytesOf(value)));
}

export function raiseBytes(body: Uint8Array, reader: Reader): object {
  const bytes = body.slice(1);
  switch (body[0]) {
    case ByteKind.ARRAY_BUFFER:
      return reader.enter(bytes.buffer);
    case ByteKind.DATA_VIEW:
      return reader.enter(new DataView(bytes.buffer));
    case ByteKind.BUFFER:
      return reader.enter(Buffer.from(bytes.buffer));
    case ByteKind.CLAMPED:
      return reader.enter(new Uint8ClampedArray(bytes.buffer));
    default:
      throw reader.malformed("an unknown kind of bytes");
  }
}

/** The bytes that a view shows. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function kinded(kind: number, bytes: Uint8Array): Uint8Array {
  const body = new Uint8Array(1 + bytes.length);
  body[0] = kind;
  body.set(bytes, 1);
  return body;
}
