import { Encoder } from "@msgpack/msgpack";

/**
 * The part of the library's encoder that `EncoderSink` drives. These members are private in
 * its types; {@link openEncoder} checks that they are there, a test pins what they write, and
 * `ChunkSink` takes over where they are not.
 */
export interface EncoderInternals {
  pos: number;
  readonly view: DataView<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  resizeBuffer(size: number): void;
  encodeNumber(value: number): void;
  encodeNumberAsFloat(value: number): void;
  encodeBigInt64(value: bigint): void;
}

const METHODS = ["resizeBuffer", "encodeNumber", "encodeNumberAsFloat", "encodeBigInt64"] as const;

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
