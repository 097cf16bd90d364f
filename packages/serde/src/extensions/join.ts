import { define } from "../define.ts";
import type { ValueReader } from "./value-reader.ts";

/** One list, record or Map from its pieces, in order. */
export function raiseJoin(reader: ValueReader): object {
  if (reader.context.part === undefined)
    throw reader.malformed("a value in pieces, which only its saver can read");
  const size = reader.array();
  const joined = size === 0 ? undefined : reader.value();
  if (typeof joined !== "object" || joined === null)
    throw reader.malformed("a piece that is no collection");
  for (let i = 1; i < size; i++) {
    if (!append(joined, reader.value())) throw reader.malformed("pieces of different kinds");
  }
  return joined;
}

/** False when the piece is not of the same kind. */
function append(joined: object, piece: unknown): boolean {
  if (Array.isArray(joined)) return Array.isArray(piece) && appendList(joined, piece);
  if (joined instanceof Map) {
    if (!(piece instanceof Map)) return false;
    for (const [key, value] of piece) joined.set(key, value);
    return true;
  }
  if (!isRecord(joined) || !isRecord(piece)) return false;
  for (const [key, value] of Object.entries(piece)) define(joined, key, value);
  return true;
}

/** Holes stay holes. */
function appendList(joined: unknown[], piece: readonly unknown[]): true {
  const start = joined.length;
  joined.length += piece.length;
  piece.forEach((item, i) => void (joined[start + i] = item));
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
