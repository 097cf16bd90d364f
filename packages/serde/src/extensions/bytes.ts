import { types } from "node:util";
import type { ValueReader } from "./value-reader.ts";
import { ByteKind, Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

/** `Uint8Array` is MessagePack's own binary; a view keeps only its own bytes. */
export function dumpUint8Array(value: Uint8Array, writer: ValueWriter): void {
  if (isOwnView(value, types.isUint8Array, "Uint8Array", writer)) writer.binary(value);
}

export function dumpBuffer(value: Buffer, writer: ValueWriter): void {
  if (isOwnView(value, types.isUint8Array, "Buffer", writer))
    writer.extension(Ext.BYTES, kinded(ByteKind.BUFFER, value));
}

export function dumpClamped(value: Uint8ClampedArray, writer: ValueWriter): void {
  if (isOwnView(value, types.isUint8ClampedArray, "Uint8ClampedArray", writer))
    writer.extension(Ext.BYTES, kinded(ByteKind.CLAMPED, bytesOf(value)));
}

export function dumpDataView(value: DataView, writer: ValueWriter): void {
  if (isOwnView(value, types.isDataView, "DataView", writer))
    writer.extension(Ext.BYTES, kinded(ByteKind.DATA_VIEW, bytesOf(value)));
}

export function dumpArrayBuffer(value: ArrayBuffer, writer: ValueWriter): void {
  if (!types.isArrayBuffer(value)) return writer.forged(value);
  if (writer.hasExtras(value, "ArrayBuffer")) return;
  const message = "a resizable ArrayBuffer; store a copy of its bytes";
  if (isResizable(value) && writer.loses(message, "ArrayBuffer")) return writer.nil();
  writer.extension(Ext.BYTES, kinded(ByteKind.ARRAY_BUFFER, new Uint8Array(value)));
}

export function raiseBytes(body: Uint8Array, reader: ValueReader): object {
  const bytes = body.slice(1) as Uint8Array<ArrayBuffer>;
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

/** Whether a view is really one, has no fields of its own, and shows memory that no other thread changes. */
export function isOwnView(
  value: ArrayBufferView,
  isKind: (value: unknown) => boolean,
  kind: string,
  writer: ValueWriter,
): boolean {
  if (!isKind(value)) {
    writer.forged(value);
    return false;
  }
  const message = `a ${kind} of memory that is shared between threads; store a copy of it`;
  if (types.isSharedArrayBuffer(value.buffer) && writer.loses(message, kind)) {
    writer.nil();
    return false;
  }
  return !writer.hasExtras(value, kind);
}

function isResizable(value: ArrayBuffer): boolean {
  return (value as { readonly resizable?: boolean }).resizable === true;
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
