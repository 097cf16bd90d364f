import { inertSource, isInert } from "../inert.ts";
import { isWellFormed } from "../text.ts";
import { isNativeBigInt } from "./bigint.ts";
import { isPythonTime } from "./date.ts";

/** Lists nested deeper in a key, or in themselves, are no tuples of Python's. */
const MAX_LEVELS = 8;

/**
 * Whether Python's dict keeps these keys apart, as JavaScript's Map does: they hash there, and none
 * is equal to another only there (`1`, `1n` and `true`; two equal lists).
 */
export function areKeysOfDict(keys: readonly unknown[]): boolean {
  return areDistinct(keys, (key) => keyIdentity(key));
}

/** The same for the items of a set, which may be dates and other values with a class too. */
export function areItemsOfSet(items: readonly unknown[]): boolean {
  return areDistinct(items, (item) => keyIdentity(item) ?? instanceIdentity(item));
}

function areDistinct(
  values: readonly unknown[],
  identityOf: (value: unknown) => string | undefined,
): boolean {
  const found = new Set<string>();
  for (const value of values) {
    const identity = identityOf(value);
    if (identity === undefined || found.has(identity)) return false;
    found.add(identity);
  }
  return true;
}

/** A text that is the same for keys that Python takes for equal; undefined for what is no key there. */
function keyIdentity(key: unknown, levels = MAX_LEVELS): string | undefined {
  switch (typeof key) {
    case "string":
      return isWellFormed(key) ? `"${key}` : undefined;
    case "number":
      return Number.isNaN(key) || Object.is(key, -0) ? undefined : `#${key}`;
    case "bigint":
      return isNativeBigInt(key) ? `#${Number(key)}` : undefined;
    case "boolean":
      return `#${Number(key)}`;
    case "object":
      if (key === null) return "null";
      if (Array.isArray(key)) return levels > 0 ? tupleIdentity(key, levels - 1) : undefined;
      return isPlainBytes(key) ? `bytes ${Buffer.from(key).toString("latin1")}` : undefined;
    default:
      return undefined;
  }
}

function tupleIdentity(items: readonly unknown[], levels: number): string | undefined {
  let text = "(";
  for (const item of items) {
    const identity = keyIdentity(item, levels);
    if (identity === undefined) return undefined;
    text += `${identity.length}:${identity}`;
  }
  return text;
}

function isPlainBytes(value: object): value is Uint8Array {
  return Object.getPrototypeOf(value) === Uint8Array.prototype && ArrayBuffer.isView(value);
}

function instanceIdentity(value: unknown): string | undefined {
  if (value instanceof Date) {
    const time = value.getTime();
    return isPythonTime(time) ? `date ${time}` : undefined;
  }
  if (!isInert(value)) return undefined;
  if (value.module === "decimal") return `#${Number(value.contents)}`;
  const { code, body } = inertSource(value);
  return body === undefined ? undefined : `inert ${code} ${Buffer.from(body).toString("latin1")}`;
}
