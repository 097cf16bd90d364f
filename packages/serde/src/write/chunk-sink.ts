import { Encoder } from "@msgpack/msgpack";
import type { Sink } from "./sink.ts";

/**
 * A sink on the library's public API alone: slow, and the reference for the fast one.
 *
 * Scalars go through `encode()` one at a time. Headers are written here, because the public API
 * offers none without a container, and no map with keys other than strings.
 */
export class ChunkSink implements Sink {
  readonly #encoder = new Encoder({ useBigInt64: true });
  #chunks: Uint8Array[] = [];
  #size = 0;
  readonly #open: { code: number; chunks: Uint8Array[]; size: number }[] = [];

  get size(): number {
    return this.#size;
  }

  nil(): void {
    this.#push(Uint8Array.of(0xc0));
  }

  boolean(value: boolean): void {
    this.#push(this.#encoder.encode(value));
  }

  number(value: number): void {
    // With `useBigInt64` the library writes safe integers beyond 32 bits as floats, unless they are BigInts.
    const wide = Number.isSafeInteger(value) && (value >= 0x1_0000_0000 || value < -0x8000_0000);
    this.#push(this.#encoder.encode(wide ? BigInt(value) : value));
  }

  float(value: number): void {
    const bytes = header(0xcb, 8);
    new DataView(bytes.buffer).setFloat64(1, value);
    this.#push(bytes);
  }

  uint8(value: number): void {
    this.#push(Uint8Array.of(0xcc, value));
  }

  int64(value: bigint): void {
    this.#push(this.#encoder.encode(value));
  }

  text(value: string): void {
    this.#push(this.#encoder.encode(value));
  }

  binary(value: Uint8Array): void {
    this.#push(this.#encoder.encode(value));
  }

  array(size: number): void {
    this.#push(size < 16 ? Uint8Array.of(0x90 | size) : sized(size, undefined, 0xdc, 0xdd));
  }

  map(size: number): void {
    this.#push(size < 16 ? Uint8Array.of(0x80 | size) : sized(size, undefined, 0xde, 0xdf));
  }

  begin(code: number): void {
    this.#open.push({ code, chunks: this.#chunks, size: this.#size });
    this.#chunks = [];
    this.#size = 0;
  }

  end(): void {
    const body = this.#join();
    const { code, chunks, size } = this.#open.pop() as {
      code: number;
      chunks: Uint8Array[];
      size: number;
    };
    this.#chunks = chunks;
    this.#size = size;
    this.extension(code, body);
  }

  extension(code: number, body: Uint8Array): void {
    const fixed = [1, 2, 4, 8, 16].indexOf(body.length);
    this.#push(fixed >= 0 ? Uint8Array.of(0xd4 + fixed) : sized(body.length, 0xc7, 0xc8, 0xc9));
    this.#push(Uint8Array.of(code));
    this.#push(body);
  }

  take(): Uint8Array {
    const bytes = this.#join();
    this.reset();
    return bytes;
  }

  reset(): void {
    this.#chunks = [];
    this.#size = 0;
    this.#open.length = 0;
  }

  #push(chunk: Uint8Array): void {
    // A copy: the chunk may be the caller's own bytes, which could change before take().
    this.#chunks.push(chunk.slice());
    this.#size += chunk.length;
  }

  #join(): Uint8Array {
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
