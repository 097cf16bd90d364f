import { isUtf8 } from "node:buffer";
import { SerdeError } from "../errors.ts";
import { LONGEST_CACHED, type TextCache } from "./text-cache.ts";

/** Texts up to so many bytes are looked up before they are decoded; keys to the cache's end. */
const CACHED_TEXT = 12;

/** The decoder behind `toString`, which asks some questions first that cost as much as a short text. */
interface Decoder {
  utf8Slice?(start: number, end: number): string;
}

function utf8(bytes: Buffer & Decoder, start: number, end: number): string {
  return bytes.utf8Slice?.(start, end) ?? bytes.toString("utf8", start, end);
}

/**
 * The MessagePack tokens of a payload. Every length is held against the bytes that are left before
 * anything is read or made from it.
 */
export class Source {
  readonly bytes: Uint8Array;
  /** The next byte. */
  at = 0;
  /** Where the payload, or the extension that is read, ends. */
  end: number;
  readonly #view: DataView;
  readonly #buffer: Buffer;
  readonly #texts: TextCache;

  constructor(bytes: Uint8Array, texts: TextCache) {
    const { buffer, byteOffset, byteLength } = bytes;
    this.bytes = bytes;
    this.end = byteLength;
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#buffer = Buffer.from(buffer, byteOffset, byteLength);
    this.#texts = texts;
  }

  get left(): number {
    return this.end - this.at;
  }

  byte(): number {
    if (this.at >= this.end) throw this.#short();
    return this.bytes[this.at++] as number;
  }

  /** The byte so far ahead, or -1 behind the end. */
  peek(ahead = 0): number {
    const at = this.at + ahead;
    return at < this.end ? (this.bytes[at] as number) : -1;
  }

  /** Step over bytes; gives where they start. */
  skip(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw this.#short();
    this.at = start + length;
    return start;
  }

  /** An unsigned integer of 1, 2 or 4 bytes. */
  uint(size: number): number {
    const start = this.skip(size);
    if (size === 1) return this.bytes[start] as number;
    return size === 2 ? this.#view.getUint16(start) : this.#view.getUint32(start);
  }

  int(size: number): number {
    const start = this.skip(size);
    if (size === 1) return this.#view.getInt8(start);
    return size === 2 ? this.#view.getInt16(start) : this.#view.getInt32(start);
  }

  uint64(): bigint {
    return this.#view.getBigUint64(this.skip(8));
  }

  int64(): bigint {
    return this.#view.getBigInt64(this.skip(8));
  }

  float32(): number {
    return this.#view.getFloat32(this.skip(4));
  }

  float64(): number {
    return this.#view.getFloat64(this.skip(8));
  }

  /** A copy: the value must not change with the payload, nor the payload with the value. */
  binary(length: number): Uint8Array<ArrayBuffer> {
    const start = this.skip(length);
    return this.bytes.slice(start, start + length) as Uint8Array<ArrayBuffer>;
  }

  /** UTF-8 of this many bytes. */
  text(length: number): string {
    return length <= CACHED_TEXT ? this.#cached(length) : this.#decode(length);
  }

  /** The same for what is likely to come again: the key of a record, a name of the wire contract. */
  key(length: number): string {
    return length <= LONGEST_CACHED ? this.#cached(length) : this.#decode(length);
  }

  #cached(length: number): string {
    const start = this.skip(length);
    const cached = this.#texts.get(this.#buffer, this.#view, start, length);
    if (cached !== undefined) return cached;
    this.at = start;
    return this.#decode(length);
  }

  #decode(length: number): string {
    const start = this.skip(length);
    const text = utf8(this.#buffer, start, start + length);
    // Invalid bytes turn into U+FFFD; only a text that has one needs a closer look.
    if (text.includes("\uFFFD") && !isUtf8(this.bytes.subarray(start, start + length)))
      throw this.#broken("text that is not UTF-8");
    return text;
  }

  /** The length of the text that begins with this head; -1 when it begins no text. */
  textLength(head: number): number {
    if (head >= 0xa0 && head <= 0xbf) return head & 0x1f;
    if (head >= 0xd9 && head <= 0xdb) return this.uint(1 << (head - 0xd9));
    return -1;
  }

  /** The size of the array that begins with this head; -1 when it begins none. */
  arraySize(head: number): number {
    if (head >= 0x90 && head <= 0x9f) return head & 0x0f;
    if (head === 0xdc || head === 0xdd) return this.uint(head === 0xdc ? 2 : 4);
    return -1;
  }

  /** The number of entries of the map that begins with this head; -1 when it begins none. */
  mapSize(head: number): number {
    if (head >= 0x80 && head <= 0x8f) return head & 0x0f;
    if (head === 0xde || head === 0xdf) return this.uint(head === 0xde ? 2 : 4);
    return -1;
  }

  /** The length of the extension that begins with this head; -1 when it begins none. */
  extensionLength(head: number): number {
    if (head >= 0xd4 && head <= 0xd8) return 1 << (head - 0xd4);
    if (head >= 0xc7 && head <= 0xc9) return this.uint(1 << (head - 0xc7));
    return -1;
  }

  #short(): SerdeError {
    return this.#broken("it ends too early");
  }

  #broken(what: string): SerdeError {
    return new SerdeError({
      code: "malformed_payload",
      path: "",
      message: `Not a readable payload: ${what} (byte ${this.at} of ${this.bytes.length})`,
    });
  }
}
