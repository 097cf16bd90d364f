import { isWellFormed } from "../text.ts";
import { type Sink, SinkFull } from "./sink.ts";
import type { EncodedKey } from "../extensions/key-list.ts";
import { type EncoderInternals, openEncoder } from "./encoder-internals.ts";

/** Strings up to this length are copied character by character: cheaper than a call into the engine. */
const SHORT_TEXT = 28;
/** Strings beyond this length are measured before they are written. */
const COUNTED_TEXT = 2048;
/** Bytes up to this length are copied one by one, for the same reason. */
const SHORT_BYTES = 24;
/** A buffer that grew beyond this is dropped after use. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** First byte of U+FFFD, which the engine writes in place of a lone surrogate. */
const REPLACEMENT = 0xef;
/** The most that a header takes. */
const HEADER = 9;
/** Room that is asked for and may not be needed. */
const SLACK = HEADER + 1 + COUNTED_TEXT * 3;

/**
 * A sink that drives the library's encoder token by token, without a tree of intermediate objects.
 */
export class EncoderSink implements Sink {
  #encoder: EncoderInternals;
  #text: Buffer;
  #maxBytes = 0;
  readonly #open: number[] = [];

  constructor(encoder: EncoderInternals) {
    this.#encoder = encoder;
    this.#text = Buffer.from(encoder.bytes.buffer);
  }

  start(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#open.length = 0;
    this.#encoder.pos = 0;
  }

  release(): void {
    if (this.#encoder.bytes.length <= KEPT_BYTES) return;
    this.#encoder = openEncoder() as EncoderInternals;
    this.#text = Buffer.from(this.#encoder.bytes.buffer);
  }

  get size(): number {
    return this.#encoder.pos;
  }

  nil(): void {
    this.#byte(0xc0);
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  number(value: number): void {
    if (Object.is(value, -0)) return this.float(value);
    if (value >= 0 && value < 0x80 && (value | 0) === value) return this.#byte(value);
    this.#room(HEADER);
    this.#encoder.encodeNumber(value);
  }

  float(value: number): void {
    this.#room(HEADER);
    this.#encoder.encodeNumberAsFloat(value);
  }

  uint8(value: number): void {
    this.#byte(0xcc);
    this.#byte(value);
  }

  int64(value: bigint): void {
    this.#room(HEADER);
    this.#encoder.encodeBigInt64(value);
  }

  text(value: string): boolean {
    return (value.length <= SHORT_TEXT && this.#shortText(value)) || this.#longText(value);
  }

  key({ bytes, words }: EncodedKey): void {
    const { length } = words;
    this.#room(length * 4);
    const encoder = this.#encoder;
    const { pos, view } = encoder;
    for (let i = 0; i < length; i++) view.setInt32(pos + i * 4, words[i] as number);
    encoder.pos = pos + bytes.length;
  }

  binary(value: Uint8Array): void {
    this.#room(HEADER + value.length);
    this.#sized(value.length, 0xc4, 0xc5, 0xc6);
    this.raw(value);
  }

  array(size: number): void {
    if (size < 16) this.#byte(0x90 | size);
    else this.#sized(size, undefined, 0xdc, 0xdd);
  }

  map(size: number): void {
    if (size < 16) this.#byte(0x80 | size);
    else this.#sized(size, undefined, 0xde, 0xdf);
  }

  begin(code: number): void {
    this.#room(3);
    const encoder = this.#encoder;
    encoder.bytes[encoder.pos + 2] = code;
    this.#open.push(encoder.pos);
    encoder.pos += 3;
  }

  /** The header was left three bytes of room, what most bodies need; others are moved. */
  end(): number {
    const encoder = this.#encoder;
    const start = this.#open.pop() as number;
    const body = start + 3;
    const size = encoder.pos - body;
    const code = encoder.bytes[start + 2] as number;
    const fixed = fixedExtension(size);
    const length = fixed !== 0 ? 2 : size < 0x100 ? 3 : size < 0x1_0000 ? 4 : 6;
    if (length > 3) this.#room(length - 3);
    const { bytes, view } = encoder;
    if (length !== 3) bytes.copyWithin(start + length, body, body + size);
    if (fixed !== 0) {
      bytes[start] = fixed;
    } else if (length === 3) {
      bytes[start] = 0xc7;
      bytes[start + 1] = size;
    } else if (length === 4) {
      bytes[start] = 0xc8;
      view.setUint16(start + 1, size);
    } else {
      bytes[start] = 0xc9;
      view.setUint32(start + 1, size);
    }
    bytes[start + length - 1] = code;
    encoder.pos = start + length + size;
    return length - 3;
  }

  extension(code: number, body: Uint8Array): void {
    this.#room(HEADER + body.length);
    const fixed = fixedExtension(body.length);
    if (fixed !== 0) this.#byte(fixed);
    else this.#sized(body.length, 0xc7, 0xc8, 0xc9);
    this.#byte(code);
    this.raw(body);
  }

  raw(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#room(length);
    const encoder = this.#encoder;
    const { pos } = encoder;
    const target = encoder.bytes;
    if (length <= SHORT_BYTES)
      for (let i = 0; i < length; i++) target[pos + i] = bytes[i] as number;
    else target.set(bytes, pos);
    encoder.pos = pos + length;
  }

  view(): Uint8Array {
    return this.#encoder.bytes.subarray(0, this.#encoder.pos);
  }

  #byte(value: number): void {
    const encoder = this.#encoder;
    if (encoder.pos >= encoder.bytes.length) this.#grow(1);
    encoder.bytes[encoder.pos++] = value;
  }

  #room(size: number): void {
    if (this.#encoder.pos + size > this.#encoder.bytes.length) this.#grow(size);
  }

  #grow(size: number): void {
    const encoder = this.#encoder;
    const needed = encoder.pos + size;
    if (needed > this.#maxBytes + SLACK) throw new SinkFull();
    // What is left behind is freed some time later. So a large buffer grows in few steps; what it
    // does not come to use takes no memory, as nothing touches it.
    const wanted = needed > KEPT_BYTES ? needed * 3 : needed + (needed >> 1);
    encoder.resizeBuffer(Math.max(needed, Math.min(wanted, this.#maxBytes + SLACK)));
    this.#text = Buffer.from(encoder.bytes.buffer);
  }

  #sized(size: number, head8: number | undefined, head16: number, head32: number): void {
    this.#room(HEADER);
    const encoder = this.#encoder;
    const { bytes, view } = encoder;
    const start = encoder.pos;
    if (head8 !== undefined && size < 0x100) {
      bytes[start] = head8;
      bytes[start + 1] = size;
      encoder.pos = start + 2;
    } else if (size < 0x1_0000) {
      bytes[start] = head16;
      view.setUint16(start + 1, size);
      encoder.pos = start + 3;
    } else {
      bytes[start] = head32;
      view.setUint32(start + 1, size);
      encoder.pos = start + 5;
    }
  }

  /** False when the text is not ASCII; nothing was written then. */
  #shortText(value: string): boolean {
    const { length } = value;
    this.#room(length + 1);
    const encoder = this.#encoder;
    const { bytes } = encoder;
    const start = encoder.pos + 1;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[start + i] = unit;
    }
    bytes[start - 1] = 0xa0 | length;
    encoder.pos = start + length;
    return true;
  }

  /** Room is left for the header that ASCII needs; text that grows past it is moved. */
  #longText(value: string): boolean {
    // Past some length counting the bytes first is cheaper than the memory for the worst case.
    const counted = value.length > COUNTED_TEXT ? Buffer.byteLength(value) : undefined;
    this.#room(5 + (counted ?? value.length * 3) + 1);
    const encoder = this.#encoder;
    const { bytes, view } = encoder;
    const start = encoder.pos;
    const guess = textHeader(counted ?? value.length);
    const size = this.#text.write(value, start + guess, "utf8");
    // As many bytes as characters: all of it is ASCII. Anything else needs a closer look.
    if (size !== value.length && this.#mayBeReplaced(start + guess, size) && !isWellFormed(value))
      return false;
    const room = textHeader(size);
    if (room !== guess) bytes.copyWithin(start + room, start + guess, start + guess + size);
    if (room === 1) bytes[start] = 0xa0 | size;
    else if (room === 2) {
      bytes[start] = 0xd9;
      bytes[start + 1] = size;
    } else if (room === 3) {
      bytes[start] = 0xda;
      view.setUint16(start + 1, size);
    } else {
      bytes[start] = 0xdb;
      view.setUint32(start + 1, size);
    }
    encoder.pos = start + room + size;
    return true;
  }

  /**
   * Whether a text just written holds the byte with which the replacement for a lone surrogate
   * begins. Looking for a byte is many times as fast as looking for surrogates; one more byte behind
   * the text ends the search.
   */
  #mayBeReplaced(start: number, size: number): boolean {
    this.#text[start + size] = REPLACEMENT;
    return this.#text.indexOf(REPLACEMENT, start) < start + size;
  }
}

function textHeader(size: number): number {
  return size < 32 ? 1 : size < 0x100 ? 2 : size < 0x1_0000 ? 3 : 5;
}

/** The head of an extension of one of the five short lengths; 0 for any other. */
function fixedExtension(size: number): number {
  switch (size) {
    case 1:
      return 0xd4;
    case 2:
      return 0xd5;
    case 4:
      return 0xd6;
    case 8:
      return 0xd7;
    case 16:
      return 0xd8;
    default:
      return 0;
  }
}
