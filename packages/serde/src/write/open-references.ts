import { Ext, holdsDocument } from "../wire.ts";

/**
 * Turn a document that holds references into its GRAPH form.
 *
 * References must not cross the border of an extension, so that every extension can be read on its
 * own. Here each extension around a document becomes the array `[OPEN, document]`, which has no
 * border; nothing else moves. `closed` are the offsets of extensions that hold no reference and
 * stay as they are.
 */
export function openReferences(bytes: Uint8Array, closed: readonly number[]): Uint8Array {
  // An opened header takes four bytes and was three at least, two for the smallest.
  const out = new Uint8Array(bytes.length * 2 + 6);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let to = 6;
  let copied = 0;
  let at = 0;
  let nextClosed = 0;
  while (at < bytes.length) {
    const start = at;
    const token = readToken(view, at);
    at += token.length;
    if (token.code === undefined || !holdsDocument(token.code)) continue;
    if (closed[nextClosed] === start) {
      nextClosed++;
      continue;
    }
    out.set(bytes.subarray(copied, start), to);
    to += start - copied;
    out.set([0x92, 0xd4, Ext.OPEN, token.code], to);
    to += 4;
    at = start + token.header;
    copied = at;
  }
  out.set(bytes.subarray(copied), to);
  to += bytes.length - copied;
  out[0] = 0xc9;
  new DataView(out.buffer).setUint32(1, to - 6);
  out[5] = Ext.GRAPH;
  return out.slice(0, to);
}

interface Token {
  /** Bytes to the next token; items of containers are tokens of their own. */
  readonly length: number;
  /** Bytes before an extension's body. */
  readonly header: number;
  /** An extension's code. */
  readonly code?: number;
}

/** The token at an offset of a well-formed document of ours. */
function readToken(view: DataView, at: number): Token {
  const head = view.getUint8(at);
  if (head < 0x80 || head >= 0xe0 || head <= 0x9f || (head >= 0xc0 && head <= 0xc3))
    return plain(1);
  if (head <= 0xbf) return plain(1 + (head & 0x1f));
  switch (head) {
    case 0xc4:
    case 0xd9:
      return plain(2 + view.getUint8(at + 1));
    case 0xc5:
    case 0xda:
      return plain(3 + view.getUint16(at + 1));
    case 0xc6:
    case 0xdb:
      return plain(5 + view.getUint32(at + 1));
    case 0xc7:
      return extension(3, view.getUint8(at + 1), view.getUint8(at + 2));
    case 0xc8:
      return extension(4, view.getUint16(at + 1), view.getUint8(at + 3));
    case 0xc9:
      return extension(6, view.getUint32(at + 1), view.getUint8(at + 5));
    case 0xcc:
    case 0xd0:
      return plain(2);
    case 0xcd:
    case 0xd1:
    case 0xdc:
    case 0xde:
      return plain(3);
    case 0xca:
    case 0xce:
    case 0xd2:
    case 0xdd:
    case 0xdf:
      return plain(5);
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return plain(9);
    default:
      return extension(2, 1 << (head - 0xd4), view.getUint8(at + 1));
  }
}

function plain(length: number): Token {
  return { length, header: length };
}

function extension(header: number, size: number, code: number): Token {
  return { length: header + size, header, code };
}
