import { SerdeError } from "../errors.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { Ext, holdsDocument } from "../wire.ts";

/** What a document holds that the plain way of reading does not cover. */
export interface Facts {
  /** A map has keys that are no strings. */
  readonly anyKeys: boolean;
  /** A map has a key that the decoder refuses or that looks like our escape. */
  readonly oddKeys: boolean;
}

const PROTO = Buffer.from("__proto__");
/** Containers and extensions stand up to this many levels above a value of the same depth. */
const LEVELS_PER_DEPTH = 4;

/**
 * Check a document's structure in one pass, before anything is built from it.
 *
 * Each declared length is held against the bytes that are left, the outstanding items of all open
 * containers together too: so the memory that decoding takes is linear in the payload.
 */
export function scan(bytes: Uint8Array, limits: Limits): Facts {
  if (bytes.length > limits.maxBytes) {
    throw limitExceeded("maxBytes", `The payload has ${bytes.length} bytes`, limits);
  }
  return new Scan(bytes, limits).run();
}

class Scan {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limits: Limits;
  #at = 0;
  #items = 0;
  /** Items that open containers still announce. */
  #pending = 1;
  /** Per level: items left; whether they alternate as keys and values; where its extension ends, or 0. */
  readonly #left: number[] = [1];
  readonly #keyed: boolean[] = [false];
  readonly #end: number[] = [0];
  #anyKeys = false;
  #oddKeys = false;

  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = limits;
  }

  run(): Facts {
    for (;;) {
      if (!this.#close()) break;
      const level = this.#left.length - 1;
      const left = this.#left[level] as number;
      this.#left[level] = left - 1;
      this.#pending--;
      if (++this.#items > this.#limits.maxItems * LEVELS_PER_DEPTH) {
        throw limitExceeded("maxItems", "The payload has too many items", this.#limits);
      }
      this.#token(this.#keyed[level] === true && left % 2 === 0);
    }
    if (this.#at !== this.#bytes.length) throw this.#malformed("extra bytes after the value");
    return { anyKeys: this.#anyKeys, oddKeys: this.#oddKeys };
  }

  /** Leave finished levels; false when the document is complete. */
  #close(): boolean {
    let level = this.#left.length - 1;
    while (level >= 0 && this.#left[level] === 0) {
      const end = this.#end[level] as number;
      if (end !== 0 && this.#at !== end)
        throw this.#malformed("an extension's length does not match its content");
      this.#left.pop();
      this.#keyed.pop();
      this.#end.pop();
      level--;
    }
    return level >= 0;
  }

  #token(isKey: boolean): void {
    const head = this.#uint(1);
    if (head >= 0xa0 && head <= 0xbf) return this.#text(head & 0x1f, isKey);
    if (head >= 0xd9 && head <= 0xdb) return this.#text(this.#uint(1 << (head - 0xd9)), isKey);
    if (isKey) this.#anyKeys = true;
    if (head < 0x80 || head >= 0xe0) return;
    if (head <= 0x8f) return this.#open(head & 0x0f, true);
    if (head <= 0x9f) return this.#open(head & 0x0f, false);
    switch (head) {
      case 0xc0:
      case 0xc2:
      case 0xc3:
        return;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#skip(this.#uint(1 << (head - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#uint(1 << (head - 0xc7)));
      case 0xca:
      case 0xce:
      case 0xd2:
        return this.#skip(4);
      case 0xcb:
      case 0xcf:
      case 0xd3:
        return this.#skip(8);
      case 0xcc:
      case 0xd0:
        return this.#skip(1);
      case 0xcd:
      case 0xd1:
        return this.#skip(2);
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (head - 0xd4));
      case 0xdc:
      case 0xdd:
        return this.#open(this.#uint(head === 0xdc ? 2 : 4), false);
      case 0xde:
      case 0xdf:
        return this.#open(this.#uint(head === 0xde ? 2 : 4), true);
      default:
        throw this.#malformed("a byte that is not MessagePack");
    }
  }

  #text(length: number, isKey: boolean): void {
    const start = this.#at;
    this.#skip(length);
    if (!isKey || length === 0) return;
    if (this.#bytes[start] === 0) this.#oddKeys = true;
    else if (length === PROTO.length && PROTO.every((byte, i) => this.#bytes[start + i] === byte))
      this.#oddKeys = true;
  }

  #open(size: number, keyed: boolean): void {
    const items = keyed ? size * 2 : size;
    this.#push(items, keyed, 0);
  }

  #extension(length: number): void {
    const code = this.#uint(1);
    if (length > this.#bytes.length - this.#at)
      throw this.#malformed("an extension longer than the payload");
    if (!holdsDocument(code)) {
      if (code < Ext.SPECIAL || code > Ext.PART || code === Ext.CIPHER || code === Ext.CODEC) {
        throw this.#malformed(`unknown extension code ${code > 127 ? code - 256 : code}`);
      }
      return this.#skip(length);
    }
    this.#push(1, false, this.#at + length);
  }

  #push(items: number, keyed: boolean, end: number): void {
    this.#pending += items;
    if (this.#pending > this.#bytes.length - this.#at)
      throw this.#malformed("more items announced than bytes left");
    if (this.#left.length > this.#limits.maxDepth * LEVELS_PER_DEPTH) {
      throw limitExceeded("maxDepth", "The payload is nested too deep", this.#limits);
    }
    this.#left.push(items);
    this.#keyed.push(keyed);
    this.#end.push(end);
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#at) throw this.#malformed("the payload ends too early");
    this.#at += length;
  }

  #uint(size: number): number {
    const at = this.#at;
    this.#skip(size);
    return size === 1
      ? (this.#bytes[at] as number)
      : size === 2
        ? this.#view.getUint16(at)
        : this.#view.getUint32(at);
  }

  #malformed(what: string): SerdeError {
    return new SerdeError({
      code: "malformed_payload",
      path: "",
      message: `Not a readable payload: ${what} (byte ${this.#at} of ${this.#bytes.length})`,
    });
  }
}
