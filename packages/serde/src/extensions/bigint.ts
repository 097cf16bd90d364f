import type { Reader } from "../read/reader.ts";

/**
 * A 64-bit integer of the payload: a number where the shortest form of a number is 64 bits wide,
 * else a BigInt. The other half of the rule is `Writer`'s.
 */
export function raiseInteger(value: bigint): number | bigint {
  const short = value >= -(1n << 31n) && value < 1n << 32n;
  const number = Number(value);
  return !short && Number.isSafeInteger(number) ? number : value;
}

/** A BigInt by sign and magnitude: linear in its length, which decimal digits are not. */
export function raiseBigInt(body: Uint8Array, reader: Reader): bigint {
  const sign = body[0];
  if (body.length < 2 || (sign !== 0 && sign !== 1)) throw reader.malformed("a broken BigInt");
  const magnitude = BigInt(
    `0x${Buffer.from(body.buffer, body.byteOffset + 1, body.length - 1).toString("hex")}`,
  );
  return sign === 1 ? -magnitude : magnitude;
}
