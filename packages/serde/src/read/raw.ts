import { isUtf8 } from "node:buffer";
import { Decoder } from "@msgpack/msgpack";

/** An extension as the decoder met it: its body is read when its place in the value is reached. */
export class RawExtension {
  readonly code: number;
  readonly body: Uint8Array;

  constructor(code: number, body: Uint8Array) {
    this.code = code;
    this.body = body;
  }
}

/** Keys of maps in a raw tree that stand for something else; see {@link RawKeys.restore}. */
const ESCAPE = "\0";

/**
 * The raw tree of a document, through the library's public API.
 *
 * Strings and binaries both come as views of the payload, so that the project decides how text is
 * read: the library's own way cuts a byte order mark and lets invalid UTF-8 pass. 64-bit integers
 * come as BigInts. Keys that the library refuses or flattens come escaped.
 */
export class RawReader {
  readonly #keys: unknown[] = [];
  readonly #decoder: Decoder;
  #escapeIndices = false;

  constructor() {
    this.#decoder = new Decoder({
      rawStrings: true,
      useBigInt64: true,
      keyDecoder: {
        canBeCached: () => true,
        decode: (bytes, offset, length) => this.#textKey(readText(bytes, offset, length)),
      },
      mapKeyConverter: (key) => (typeof key === "string" ? key : this.#otherKey(key)),
      extensionCodec: {
        tryToEncode: () => null,
        decode: (body, code) => new RawExtension(code, body),
      },
    });
  }

  /** The raw tree of a document that was scanned before. `anyKeys` as the scan found it. */
  read(bytes: Uint8Array, anyKeys: boolean): unknown {
    this.#escapeIndices = anyKeys;
    return this.#decoder.decode(bytes);
  }

  /** The key that an escaped one stands for, as a raw value; itself when it is not escaped. */
  restore(key: string): { readonly text: string } | { readonly raw: unknown } {
    if (!key.startsWith(ESCAPE)) return { text: key };
    return key[1] === "k" ? { raw: this.#keys[Number(key.slice(2))] } : { text: key.slice(2) };
  }

  /** Forget the keys of the document that was read. */
  reset(): void {
    this.#keys.length = 0;
  }

  #textKey(key: string): string {
    const escaped =
      key === "__proto__" || key.startsWith(ESCAPE) || (this.#escapeIndices && /^\d/.test(key));
    return escaped ? `${ESCAPE}t${key}` : key;
  }

  #otherKey(key: unknown): string {
    this.#keys.push(key);
    return `${ESCAPE}k${this.#keys.length - 1}`;
  }
}

/**
 * Whether a view that came from `payload` was a string there: its header stands right before it.
 * A header's last byte is the length (its low byte), or the marker and length in one; the two never
 * look alike for one length.
 */
export function isText(view: Uint8Array, payload: Uint8Array): boolean {
  const at = view.byteOffset - payload.byteOffset;
  const { length } = view;
  if (length < 32 && payload[at - 1] === (0xa0 | length)) return true;
  if (length < 0x100 && (payload[at - 2] === 0xd9 || payload[at - 2] === 0xc4))
    return payload[at - 2] === 0xd9;
  if (length < 0x1_0000 && (payload[at - 3] === 0xda || payload[at - 3] === 0xc5))
    return payload[at - 3] === 0xda;
  return payload[at - 5] === 0xdb;
}

/** UTF-8 to a string; throws RangeError when the bytes are not valid UTF-8. */
export function readText(bytes: Uint8Array, offset: number, length: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString("utf8");
  // Invalid bytes turn into U+FFFD; only a text that has one needs a closer look.
  if (text.includes("\uFFFD") && !isUtf8(bytes.subarray(offset, offset + length))) {
    throw new RangeError("invalid UTF-8");
  }
  return text;
}
