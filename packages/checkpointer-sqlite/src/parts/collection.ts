import { Ext } from "@threadkeep/serde";

/** An item as it stands in a document, behind its key in records and Maps. */
export interface Entry {
  readonly key: Uint8Array | undefined;
  readonly bytes: Uint8Array;
}

/** The document of a list, record or Map of these items. */
export function collectionDocument(
  kind: "list" | "record" | "map",
  entries: readonly Entry[],
): Uint8Array {
  const items = entries.flatMap(({ key, bytes }) => (key === undefined ? [bytes] : [key, bytes]));
  if (kind === "record") return concat([header(entries.length, 0x80, 0xde), ...items]);
  const list = concat([header(items.length, 0x90, 0xdc), ...items]);
  return kind === "list" ? list : extension(Ext.MAP, list);
}

/** An extension around a body. */
export function extension(code: number, body: Uint8Array): Uint8Array {
  const { length } = body;
  const fixed = [1, 2, 4, 8, 16].indexOf(length);
  if (fixed >= 0) return concat([Uint8Array.of(0xd4 + fixed, code), body]);
  if (length < 0x100) return concat([Uint8Array.of(0xc7, length, code), body]);
  if (length < 0x1_0000)
    return concat([Uint8Array.of(0xc8, length >> 8, length & 0xff, code), body]);
  const head = new Uint8Array(6);
  head[0] = 0xc9;
  new DataView(head.buffer).setUint32(1, length);
  head[5] = code;
  return concat([head, body]);
}

function header(size: number, small: number, head16: number): Uint8Array {
  if (size < 16) return Uint8Array.of(small | size);
  if (size < 0x1_0000) return Uint8Array.of(head16, size >> 8, size & 0xff);
  const head = new Uint8Array(5);
  head[0] = head16 + 1;
  new DataView(head.buffer).setUint32(1, size);
  return head;
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const all = Buffer.concat(pieces);
  return new Uint8Array(all.buffer, all.byteOffset, all.byteLength);
}
