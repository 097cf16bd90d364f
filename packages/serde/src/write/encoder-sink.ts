import { Encoder } from "@msgpack/msgpack";
import type { Sink } from "./sink.ts";

/**
 * The part of the library's encoder that {@link EncoderSink} drives. These members are private in
 * its types; {@link openEncoder} checks that they are there, a test pins what they write, and
 * {@link ChunkSink} takes over where they are not.
 */
interface EncoderInternals {
  pos: number;
  readonly view: DataView<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  ensureBufferSizeToWrite(size: number): void;
  encodeNumber(value: number): void;
  encodeNumberAsFloat(value: number): void;
  encodeBigInt64(value: bigint): void;
  encodeBinary(value: Uint8Array): void;
  writeU8(value: number): void;
  writeU16(value: number): void;
  writeU32(value: number): void;
  writeU8a(values: Uint8Array): void;
}

const METHODS = [
  "ensureBufferSizeToWrite",
  "encodeNumber",
  "encodeNumberAsFloat",
  "encodeBigInt64",
  "encodeBinary",
  "writeU8",
  "writeU16",
  "writeU32",
  "writeU8a",
] as const;

/** The library's encoder with its inner methods, or undefined when this version lacks one. */
export function openEncoder(): EncoderInternals | undefined {
  const encoder = new Encoder() as unknown as EncoderInternals;
  const complete =
    METHODS.every((name) => typeof encoder[name] === "function") &&
    typeof encoder.pos === "number" &&
    ArrayBuffer.isView(encoder.view) &&
    ArrayBuffer.isView(encoder.bytes);
  return complete ? encoder : undefined;
}

/** Strings up to this length are copied character by character: cheaper than a call into the engine. */
const SHORT_TEXT = 24;
/** Strings beyond this length are measured before they are written. */
const COUNTED_TEXT = 512;
/** A buffer that grew beyond this is dropped after use. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * A sink that drives the library's encoder token by token, without a tree of intermediate objects.
 * Measured 2–3 times as fast as encoding a prepared tree through the public API.
 */
export class EncoderSink implements Sink {
  #encoder: EncoderInternals;
  #text: Buffer;
  readonly #open: number[] = [];

  constructor(encoder: EncoderInternals) {
    this.#encoder = encoder;
    this.#text = Buffer.from(encoder.bytes.buffer);
  }

  get size(): number {
    return this.#encoder.pos;
  }

  nil(): void {
    this.#encoder.writeU8(0xc0);
  }

  boolean(value: boolean): void {
    this.#encoder.writeU8(value ? 0xc3 : 0xc2);
  }

  number(value: number): void {
    this.#encoder.encodeNumber(value);
  }

  float(value: number): void {
    this.#encoder.encodeNumberAsFloat(value);
  }

  uint8(value: number): void {
    this.#encoder.writeU8(0xcc);
    this.#encoder.writeU8(value);
  }

  int64(value: bigint): void {
    this.#encoder.encodeBigInt64(value);
  }

  text(value: string): void {
    if (value.length <= SHORT_TEXT && this.#shortText(value)) return;
    this.#longText(value);
  }

  binary(value: Uint8Array): void {
    this.#encoder.encodeBinary(value);
  }

  array(size: number): void {
    this.#sized(size, 16, 0x90, 0xdc, 0xdd);
  }

  map(size: number): void {
    this.#sized(size, 16, 0x80, 0xde, 0xdf);
  }

  begin(code: number): void {
    const encoder = this.#encoder;
    encoder.ensureBufferSizeToWrite(3);
    encoder.bytes[encoder.pos + 2] = code;
    this.#open.push(encoder.pos);
    encoder.pos += 3;
  }

  /** The header was left three bytes of room, what most bodies need; others are moved. */
  end(): void {
    const encoder = this.#encoder;
    const start = this.#open.pop() as number;
    const body = start + 3;
    const size = encoder.pos - body;
    const code = encoder.bytes[start + 2] as number;
    const fixed =
      size === 1
        ? 0xd4
        : size === 2
          ? 0xd5
          : size === 4
            ? 0xd6
            : size === 8
              ? 0xd7
              : size === 16
                ? 0xd8
                : 0;
    if (fixed !== 0) {
      encoder.bytes.copyWithin(start + 2, body, encoder.pos);
      encoder.bytes[start] = fixed;
      encoder.bytes[start + 1] = code;
      encoder.pos -= 1;
    } else if (size < 0x100) {
      encoder.bytes[start] = 0xc7;
      encoder.bytes[start + 1] = size;
    } else {
      const wide = size >= 0x1_0000;
      const room = wide ? 3 : 1;
      encoder.ensureBufferSizeToWrite(room);
      encoder.bytes.copyWithin(body + room, body, encoder.pos);
      encoder.bytes[start] = wide ? 0xc9 : 0xc8;
      if (wide) encoder.view.setUint32(start + 1, size);
      else encoder.view.setUint16(start + 1, size);
      encoder.bytes[body + room - 1] = code;
      encoder.pos += room;
    }
  }

  extension(code: number, body: Uint8Array): void {
    this.begin(code);
    this.#encoder.writeU8a(body);
    this.end();
  }

  take(): Uint8Array {
    const bytes = this.#encoder.bytes.slice(0, this.#encoder.pos);
    this.reset();
    return bytes;
  }

  reset(): void {
    this.#open.length = 0;
    this.#encoder.pos = 0;
    if (this.#encoder.bytes.length > KEPT_BYTES) {
      this.#encoder = openEncoder() as EncoderInternals;
      this.#text = Buffer.from(this.#encoder.bytes.buffer);
    }
  }

  #sized(size: number, small: number, fixed: number, head16: number, head32: number): void {
    const encoder = this.#encoder;
    if (size < small) {
      encoder.writeU8(fixed | size);
    } else if (size < 0x1_0000) {
      encoder.writeU8(head16);
      encoder.writeU16(size);
    } else {
      encoder.writeU8(head32);
      encoder.writeU32(size);
    }
  }

  /** False when the text is not ASCII; nothing was written then. */
  #shortText(value: string): boolean {
    const encoder = this.#encoder;
    const length = value.length;
    encoder.ensureBufferSizeToWrite(length + 1);
    const { bytes, pos } = encoder;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[pos + 1 + i] = unit;
    }
    bytes[pos] = 0xa0 | length;
    encoder.pos = pos + 1 + length;
    return true;
  }

  /** Room is left for the header that ASCII needs; text that grows past it is moved. */
  #longText(value: string): void {
    const encoder = this.#encoder;
    // Past some length counting the bytes first is cheaper than the memory for the worst case.
    const counted = value.length > COUNTED_TEXT ? Buffer.byteLength(value) : undefined;
    encoder.ensureBufferSizeToWrite(5 + (counted ?? value.length * 3));
    if (this.#text.buffer !== encoder.bytes.buffer) this.#text = Buffer.from(encoder.bytes.buffer);
    const start = encoder.pos;
    const guess = textHeader(counted ?? value.length);
    const size = this.#text.write(value, start + guess, "utf8");
    const room = textHeader(size);
    if (room !== guess) encoder.bytes.copyWithin(start + room, start + guess, start + guess + size);
    if (room === 1) encoder.bytes[start] = 0xa0 | size;
    else if (room === 2) {
      encoder.bytes[start] = 0xd9;
      encoder.bytes[start + 1] = size;
    } else if (room === 3) {
      encoder.bytes[start] = 0xda;
      encoder.view.setUint16(start + 1, size);
    } else {
      encoder.bytes[start] = 0xdb;
      encoder.view.setUint32(start + 1, size);
    }
    encoder.pos = start + room + size;
  }
}

function textHeader(size: number): number {
  return size < 32 ? 1 : size < 0x100 ? 2 : size < 0x1_0000 ? 3 : 5;
}
