import type { ValueReader } from "./value-reader.ts";

/**
 * Whether a BigInt stands as a 64-bit integer of MessagePack's own.
 *
 * Numbers and BigInts share these. Numbers take the shortest form, so a 64-bit form of what fits 32
 * bits, or anything no number can hold, is a BigInt; what lies between has no form of its own.
 */
export function isNativeBigInt(value: bigint): boolean {
  if (value >= -(1n << 31n) && value < 1n << 32n) return true;
  const magnitude = value < 0n ? -value : value;
  return magnitude > BigInt(Number.MAX_SAFE_INTEGER) && value >= -(1n << 63n) && value < 1n << 64n;
}

/** Sign and magnitude. */
export function bigIntBody(value: bigint): Uint8Array {
  const hex = (value < 0n ? -value : value).toString(16);
  return Buffer.from(`${value < 0n ? "01" : "00"}${hex.length % 2 === 1 ? "0" : ""}${hex}`, "hex");
}

/** A 64-bit integer of the payload: a number where the shortest form of a number is 64 bits wide. */
export function raiseInteger(value: bigint): number | bigint {
  const short = value >= -(1n << 31n) && value < 1n << 32n;
  const number = Number(value);
  return !short && Number.isSafeInteger(number) ? number : value;
}

/** A BigInt by sign and magnitude: linear in its length, which decimal digits are not. */
export function raiseBigInt(body: Uint8Array, reader: ValueReader): bigint {
  const sign = body[0];
  if (body.length < 2 || (sign !== 0 && sign !== 1)) throw reader.malformed("a broken BigInt");
  const hex = Buffer.from(body.buffer, body.byteOffset + 1, body.length - 1).toString("hex");
  let magnitude: bigint;
  try {
    magnitude = BigInt(`0x${hex}`);
  } catch (error) {
    throw reader.malformed("a BigInt larger than the engine can hold", error);
  }
  return sign === 1 ? -magnitude : magnitude;
}
