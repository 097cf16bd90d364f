import { Ext } from "@threadkeep/serde";
import { holdsDocument } from "@threadkeep/serde/parts";

/** Digests are cut to what fits the shortest extension form. */
export const DIGEST_BYTES = 16;

/** The document that stands for a part. */
export function reference(digest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(2 + DIGEST_BYTES);
  bytes[0] = 0xd8;
  bytes[1] = Ext.PART;
  bytes.set(digest, 2);
  return bytes;
}

/** Stands for an element that is known as an item of a piece only. */
export const UNNAMED: Uint8Array = reference(new Uint8Array(DIGEST_BYTES));

/** A digest as a key of maps. */
export function digestKey(digest: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = digest;
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

/** The digests of the parts that a document refers to, in order. */
export function partsIn(document: Uint8Array): Uint8Array[] {
  const tokens = new Tokens(document);
  const found: Uint8Array[] = [];
  let at = 0;
  while (at < document.length) {
    const items = tokens.items(at);
    const extension = items === undefined ? tokens.extension(at) : undefined;
    if (items !== undefined) at = items.start;
    else if (extension === undefined) at = tokens.end(at);
    else if (holdsDocument(extension.code)) at = extension.start;
    else {
      if (extension.code === Ext.PART)
        found.push(document.subarray(extension.start, extension.end));
      at = extension.end;
    }
  }
  return found;
}

export interface Contents {
  readonly start: number;
  /** Keys counted too. */
  readonly count: number;
  readonly isKeyed: boolean;
}

function contents(start: number, count: number, isKeyed: boolean): Contents {
  return { start, count, isKeyed };
}

/** The tokens of documents that this package wrote. */
export class Tokens {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The items of an array, or the keys and values of a map; undefined for anything else. */
  items(at = 0): Contents | undefined {
    const view = this.#view;
    const head = view.getUint8(at);
    if (head >= 0x80 && head <= 0x8f) return contents(at + 1, (head & 0x0f) * 2, true);
    if (head >= 0x90 && head <= 0x9f) return contents(at + 1, head & 0x0f, false);
    if (head === 0xdc) return contents(at + 3, view.getUint16(at + 1), false);
    if (head === 0xdd) return contents(at + 5, view.getUint32(at + 1), false);
    if (head === 0xde) return contents(at + 3, view.getUint16(at + 1) * 2, true);
    if (head === 0xdf) return contents(at + 5, view.getUint32(at + 1) * 2, true);
    return undefined;
  }

  /** An extension's code and the place of its body; undefined for anything else. */
  extension(
    at = 0,
  ): { readonly code: number; readonly start: number; readonly end: number } | undefined {
    const view = this.#view;
    const head = view.getUint8(at);
    if (head >= 0xd4 && head <= 0xd8) return this.#body(at + 1, 1 << (head - 0xd4));
    if (head === 0xc7) return this.#body(at + 2, view.getUint8(at + 1));
    if (head === 0xc8) return this.#body(at + 3, view.getUint16(at + 1));
    if (head === 0xc9) return this.#body(at + 5, view.getUint32(at + 1));
    return undefined;
  }

  /** Length of a text in bytes, 0 for anything else. */
  textLength(at: number): number {
    const view = this.#view;
    const head = view.getUint8(at);
    if (head >= 0xa0 && head <= 0xbf) return head & 0x1f;
    if (head === 0xd9) return view.getUint8(at + 1);
    if (head === 0xda) return view.getUint16(at + 1);
    return head === 0xdb ? view.getUint32(at + 1) : 0;
  }

  text(at: number): string | undefined {
    const length = this.textLength(at);
    const end = this.end(at);
    if (length === 0 && this.bytes[at] !== 0xa0) return undefined;
    const { buffer, byteOffset } = this.bytes;
    return Buffer.from(buffer, byteOffset + end - length, length).toString("utf8");
  }

  isBinary(at: number): boolean {
    const head = this.#view.getUint8(at);
    return head >= 0xc4 && head <= 0xc6;
  }

  /** The offset behind the value that starts at `at`. */
  end(at: number): number {
    let left = 1;
    while (left > 0) {
      const items = this.items(at);
      if (items === undefined) at = this.#endOfLeaf(at);
      else {
        left += items.count;
        at = items.start;
      }
      left--;
    }
    return at;
  }

  #body(code: number, length: number): { code: number; start: number; end: number } {
    return { code: this.#view.getUint8(code), start: code + 1, end: code + 1 + length };
  }

  #endOfLeaf(at: number): number {
    const view = this.#view;
    const head = view.getUint8(at);
    if (head < 0x80 || head >= 0xe0 || (head >= 0xc0 && head <= 0xc3)) return at + 1;
    if (head >= 0xa0 && head <= 0xbf) return at + 1 + (head & 0x1f);
    if (head >= 0xd4 && head <= 0xd8) return at + 2 + (1 << (head - 0xd4));
    switch (head) {
      case 0xc4:
      case 0xd9:
        return at + 2 + view.getUint8(at + 1);
      case 0xc5:
      case 0xda:
        return at + 3 + view.getUint16(at + 1);
      case 0xc6:
      case 0xdb:
        return at + 5 + view.getUint32(at + 1);
      case 0xc7:
        return at + 3 + view.getUint8(at + 1);
      case 0xc8:
        return at + 4 + view.getUint16(at + 1);
      case 0xc9:
        return at + 6 + view.getUint32(at + 1);
      case 0xcc:
      case 0xd0:
        return at + 2;
      case 0xcd:
      case 0xd1:
        return at + 3;
      case 0xca:
      case 0xce:
      case 0xd2:
        return at + 5;
      default:
        return at + 9;
    }
  }
}
