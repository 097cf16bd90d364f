import { Ext, holdsDocument } from "../wire.ts";

/** Places in a document of ours, in ascending order. */
export interface Places {
  /** Extensions that hold no reference and stay as they are. */
  readonly closed: readonly number[];
  /** Maps on the wire that stand for a `Map`. */
  readonly maps: readonly number[];
}

/** `[OPEN, …` and the code, before what was the extension's body. */
const MARK = 4;
const GRAPH_HEADER = 6;

/**
 * Turn a document that holds references into its GRAPH form.
 *
 * References must not cross the border of an extension, so that every extension can be read on its
 * own. Here each extension around a document becomes the array `[OPEN, document]`, which has no
 * border. A map that stands for a `Map` becomes an open MAP: so maps are records, and a reader need
 * not look ahead for the kind of their keys. Nothing else moves.
 */
export function openReferences(bytes: Uint8Array, places: Places): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const edits = findEdits(view, places);
  const size = edits.reduce((sum, { header, head }) => sum + head.length - header, bytes.length);
  const out = new Uint8Array(GRAPH_HEADER + size);
  out[0] = 0xc9;
  new DataView(out.buffer).setUint32(1, size);
  out[5] = Ext.GRAPH;
  let to = GRAPH_HEADER;
  let from = 0;
  for (const { at, header, head } of edits) {
    out.set(bytes.subarray(from, at), to);
    to += at - from;
    out.set(head, to);
    to += head.length;
    from = at + header;
  }
  out.set(bytes.subarray(from), to);
  return out;
}

/** Put `head` in place of the `header` bytes that stand at an offset. */
interface Edit {
  readonly at: number;
  readonly header: number;
  readonly head: Uint8Array;
}

function findEdits(view: DataView, { closed, maps }: Places): Edit[] {
  const edits: Edit[] = [];
  const marks = new Map<number, Uint8Array>();
  let nextClosed = 0;
  let nextMap = 0;
  for (let at = 0; at < view.byteLength;) {
    const { length, header, code } = readToken(view, at);
    if (code !== undefined && holdsDocument(code)) {
      if (closed[nextClosed] === at) {
        nextClosed++;
        at += length;
        continue;
      }
      let head = marks.get(code);
      if (head === undefined) marks.set(code, (head = mark(code)));
      edits.push({ at, header, head });
      at += header;
      continue;
    }
    if (maps[nextMap] === at) {
      nextMap++;
      edits.push({ at, header, head: openMap(view, at) });
    }
    at += length;
  }
  return edits;
}

function mark(code: number): Uint8Array {
  return Uint8Array.of(0x92, 0xd4, Ext.OPEN, code);
}

/** The mark, and the header of a list of as many keys and values as the map has. */
function openMap(view: DataView, at: number): Uint8Array {
  const head = view.getUint8(at);
  const entries =
    head === 0xdf ? view.getUint32(at + 1) : head === 0xde ? view.getUint16(at + 1) : head & 0x0f;
  const bytes = new Uint8Array(MARK + 5);
  bytes.set(mark(Ext.MAP));
  bytes[MARK] = 0xdd;
  new DataView(bytes.buffer).setUint32(MARK + 1, entries * 2);
  return bytes;
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
