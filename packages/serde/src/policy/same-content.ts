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
