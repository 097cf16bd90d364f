import { createHash } from "node:crypto";
import { Ext } from "@threadkeep/serde";

/** A part of a value: the document of one list element or record entry. */
export interface Part {
  readonly digest: Uint8Array;
  readonly body: Uint8Array;
}

/** A value's document with references in place of its parts. */
export interface Split {
  readonly root: Uint8Array;
  readonly parts: readonly Part[];
}

/** Smaller elements stay in their root: a reference would take as much. */
const MIN_PART = 96;
/** Digests are SHA-256, cut to what fits the shortest extension form. */
const DIGEST_BYTES = 16;

/**
 * Cut a list or record into its elements, so that those which did not change are stored once.
 *
 * Works on the bytes: in a document without references each element's bytes are a document of their
 * own. One with references is a single part.
 */
export function split(document: Uint8Array): Split {
  const header = readHeader(document);
  if (header === undefined) return { root: document, parts: [] };
  const chunks: Uint8Array[] = [document.subarray(0, header.length)];
  const parts: Part[] = [];
  let at = header.length;
  for (let i = 0; i < header.items; i++) {
    const end = skip(document, at);
    const body = document.subarray(at, end);
    const isKey = header.keyed && i % 2 === 0;
    if (isKey || body.length < MIN_PART) {
      chunks.push(body);
    } else {
      const digest = digestOf(body);
      parts.push({ digest, body });
      chunks.push(reference(digest));
    }
    at = end;
  }
  return parts.length === 0 ? { root: document, parts } : { root: Buffer.concat(chunks), parts };
}

/** The name of a part. */
export function digestOf(body: Uint8Array): Uint8Array {
  return createHash("sha256").update(body).digest().subarray(0, DIGEST_BYTES);
}

function reference(digest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(2 + DIGEST_BYTES);
  bytes[0] = 0xd8;
  bytes[1] = Ext.PART;
  bytes.set(digest, 2);
  return bytes;
}

interface Header {
  readonly length: number;
  readonly items: number;
  readonly keyed: boolean;
}

/** The header of a top-level list or record; undefined for any other document. */
function readHeader(document: Uint8Array): Header | undefined {
  const head = document[0] as number;
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  if (head >= 0x80 && head <= 0x8f) return { length: 1, items: (head & 0x0f) * 2, keyed: true };
  if (head >= 0x90 && head <= 0x9f) return { length: 1, items: head & 0x0f, keyed: false };
  if (head === 0xdc || head === 0xdd) {
    return head === 0xdc
      ? { length: 3, items: view.getUint16(1), keyed: false }
      : { length: 5, items: view.getUint32(1), keyed: false };
  }
  if (head === 0xde || head === 0xdf) {
    return head === 0xde
      ? { length: 3, items: view.getUint16(1) * 2, keyed: true }
      : { length: 5, items: view.getUint32(1) * 2, keyed: true };
  }
  return undefined;
}

/** The offset behind the value that starts at `at`, in a document that this package wrote. */
function skip(document: Uint8Array, at: number): number {
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  let left = 1;
  while (left > 0) {
    left--;
    const head = view.getUint8(at);
    if (head < 0x80 || head >= 0xe0 || head === 0xc0 || head === 0xc2 || head === 0xc3) at += 1;
    else if (head <= 0x8f) {
      at += 1;
      left += (head & 0x0f) * 2;
    } else if (head <= 0x9f) {
      at += 1;
      left += head & 0x0f;
    } else if (head <= 0xbf) at += 1 + (head & 0x1f);
    else if (head >= 0xd4 && head <= 0xd8) at += 2 + (1 << (head - 0xd4));
    else {
      const [size, items] = skipSized(view, head, at);
      at += size;
      left += items;
    }
  }
  return at;
}

/** Bytes to step over, and items that follow, for a head byte with a length or width. */
function skipSized(
  view: DataView,
  head: number,
  at: number,
): readonly [size: number, items: number] {
  switch (head) {
    case 0xc4:
    case 0xd9:
      return [2 + view.getUint8(at + 1), 0];
    case 0xc5:
    case 0xda:
      return [3 + view.getUint16(at + 1), 0];
    case 0xc6:
    case 0xdb:
      return [5 + view.getUint32(at + 1), 0];
    case 0xc7:
      return [3 + view.getUint8(at + 1), 0];
    case 0xc8:
      return [4 + view.getUint16(at + 1), 0];
    case 0xc9:
      return [6 + view.getUint32(at + 1), 0];
    case 0xcc:
    case 0xd0:
      return [2, 0];
    case 0xcd:
    case 0xd1:
      return [3, 0];
    case 0xca:
    case 0xce:
    case 0xd2:
      return [5, 0];
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return [9, 0];
    case 0xdc:
      return [3, view.getUint16(at + 1)];
    case 0xdd:
      return [5, view.getUint32(at + 1)];
    case 0xde:
      return [3, view.getUint16(at + 1) * 2];
    case 0xdf:
      return [5, view.getUint32(at + 1) * 2];
    default:
      throw new RangeError(`not a MessagePack head: ${head}`);
  }
}
