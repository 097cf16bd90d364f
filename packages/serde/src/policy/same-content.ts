import { isControl } from "../langgraph.ts";
import { isRecord } from "./record.ts";

/** Deeper or cyclic values are taken to differ: whoever asks stores them as they are then. */
const MAX_DEPTH = 64;

/**
 * Whether two values are the same to whoever reads them: one object, or lists and records of the
 * same. `new Send()` copies the lists and records in its args, and nothing else.
 */
export function isSameContent(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b, depth + 1);
  if (Array.isArray(b) || !isRecord(a) || !isRecord(b)) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && isSameContent(a[key], b[key], depth + 1))
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  return a.length === b.length && sharedStart(a, b, depth) === a.length;
}

/** How many elements two lists have in common at their start. A hole counts as none. */
export function sharedStart(a: readonly unknown[], b: readonly unknown[], depth = 0): number {
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && count in a && count in b && isSameContent(a[count], b[count], depth))
    count++;
  return count;
}

/**
 * Whether a value is what `new Send()` makes of another in its args: it copies lists and records,
 * cycles included, and makes Sends of records that look like some.
 */
export function isCopyOf(copy: unknown, original: unknown): boolean {
  return isCopy(copy, original, new Map());
}

function isCopy(copy: unknown, original: unknown, pairs: Map<object, object>): boolean {
  if (Object.is(copy, original)) return true;
  if (typeof copy !== "object" || typeof original !== "object") return false;
  if (copy === null || original === null) return false;
  const other = pairs.get(original);
  if (other !== undefined) return other === copy;
  if (pairs.size >= MAX_PAIRS) return false;
  pairs.set(original, copy);
  if (Array.isArray(original)) {
    // What is missing at the end of a list is not copied.
    return (
      Array.isArray(copy) &&
      copy.length <= original.length &&
      sameKeys(copy, original)?.every((key) =>
        isCopy(copy[Number(key)], original[Number(key)], pairs),
      ) === true
    );
  }
  if (!isRecord(original)) return false;
  if (isControl(copy, "Send")) {
    const { node, args } = copy as unknown as Record<string, unknown>;
    return node === original.node && isCopy(args, original.args, pairs);
  }
  if (!isRecord(copy)) return false;
  return sameKeys(copy, original)?.every((key) => isCopy(copy[key], original[key], pairs)) === true;
}

/** More objects than this are not compared. */
const MAX_PAIRS = 1000;

function sameKeys(a: object, b: object): string[] | undefined {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, i) => key === others[i])
    ? keys
    : undefined;
}

/** Short texts and numbers are the same by chance. */
const TELLING_LENGTH = 8;

/** Whether a list or record has content that no other is likely to have. */
export function isTelling(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value.length >= TELLING_LENGTH;
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  if (!Array.isArray(value) && !isRecord(value)) return true;
  return Object.values(value).some((item) => isTelling(item, depth + 1));
}
