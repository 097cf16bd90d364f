import { Encoder } from "@msgpack/msgpack";
import { isWellFormed } from "../text.ts";
import { type Sink, SinkFull } from "./sink.ts";
import type { EncodedKey } from "../extensions/key-list.ts";

/**
 * A sink on the library's public API alone: slow, and the reference for the fast one.
 *
 * Scalars go through `encode()` one at a time. Headers are written here, because the public API
 * offers none without a container, and no map with keys other than strings.
 */
export class ChunkSink implements Sink {
  readonly #encoder = new Encoder({ useBigInt64: true });
  #maxBytes = 0;
  #total = 0;
  #chunks: Uint8Array[] = [];
  #size = 0;
  readonly #open: { code: number; chunks: Uint8Array[]; size: number }[] = [];

  start(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    this.#total = 0;
    this.#chunks = [];
    this.#size = 0;
    this.#open.length = 0;
  }

  release(): void {
    this.start(0);
  }

  get size(): number {
    return this.#open.reduce((sum, { size }) => sum + size, this.#size);
  }

  nil(): void {
    this.raw(Uint8Array.of(0xc0));
  }

  boolean(value: boolean): void {
    this.raw(this.#encoder.encode(value));
  }

  number(value: number): void {
    if (Object.is(value, -0)) return this.float(value);
    // With `useBigInt64` the library writes safe integers beyond 32 bits as floats, unless they are BigInts.
    const wide = Number.isSafeInteger(value) && (value >= 0x1_0000_0000 || value < -0x8000_0000);
    this.raw(this.#encoder.encode(wide ? BigInt(value) : value));
  }

  float(value: number): void {
    const bytes = header(0xcb, 8);
    new DataView(bytes.buffer).setFloat64(1, value);
    this.raw(bytes);
  }

  uint8(value: number): void {
    this.raw(Uint8Array.of(0xcc, value));
  }

  int64(value: bigint): void {
    this.raw(this.#encoder.encode(value));
  }

  text(value: string): boolean {
    if (!isWellFormed(value)) return false;
    this.raw(this.#encoder.encode(value));
    return true;
  }

  key({ bytes }: EncodedKey): void {
    this.raw(bytes);
  }

  binary(value: Uint8Array): void {
    this.raw(this.#encoder.encode(value));
  }

  array(size: number): void {
    this.raw(size < 16 ? Uint8Array.of(0x90 | size) : sized(size, undefined, 0xdc, 0xdd));
  }

  map(size: number): void {
    this.raw(size < 16 ? Uint8Array.of(0x80 | size) : sized(size, undefined, 0xde, 0xdf));
  }

  begin(code: number): void {
    this.#open.push({ code, chunks: this.#chunks, size: this.#size });
    this.#chunks = [];
    this.#size = 0;
  }

  end(): number {
    const body = this.view();
    const { code, chunks, size } = this.#open.pop() as {
      code: number;
      chunks: Uint8Array[];
      size: number;
    };
    this.#chunks = chunks;
    this.#size = size;
    this.#total -= body.length;
    this.extension(code, body);
    return this.#size - size - body.length;
  }

  extension(code: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length);
    this.raw(fixed >= 0 ? Uint8Array.of(0xd4 + fixed) : sized(body.length, 0xc7, 0xc8, 0xc9));
    this.raw(Uint8Array.of(code));
    this.raw(body);
  }

  raw(bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > this.#maxBytes) throw new SinkFull();
    // A copy: these may be the caller's own bytes, which could change before the document is done.
    this.#chunks.push(Uint8Array.from(bytes));
    this.#size += bytes.length;
  }

  view(): Uint8Array {
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

function header(head: number, room: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + room);
  bytes[0] = head;
  return bytes;
}

function sized(
  size: number,
  head8: number | undefined,
  head16: number,
  head32: number,
): Uint8Array {
  if (head8 !== undefined && size < 0x100) return Uint8Array.of(head8, size);
  if (size < 0x1_0000) return Uint8Array.of(head16, size >> 8, size & 0xff);
  const bytes = header(head32, 4);
  new DataView(bytes.buffer).setUint32(1, size);
  return bytes;
}
