/** A plain record, of this realm or another, or one without a prototype. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Set an own field whatever its name: assignment would reach setters and the prototype. */
export function setField(record: object, key: string, value: unknown): void {
  // Names of the state are rarely those of a prototype, and assignment takes a tenth of the time.
  if (!(key in record)) {
    (record as Record<string, unknown>)[key] = value;
    return;
  }
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** A record with other values, of the same prototype; the same one when no value is another. */
export function copyRecord(
  record: Readonly<Record<string, unknown>>,
  change: (key: string, value: unknown) => unknown,
): Record<string, unknown> {
  const copy = Object.create(Object.getPrototypeOf(record) as object | null) as Record<
    string,
    unknown
  >;
  let changed = false;
  for (const [key, value] of Object.entries(record)) {
    const next = change(key, value);
    changed ||= !Object.is(next, value);
    setField(copy, key, next);
  }
  return changed ? copy : record;
}

/** A list or record of the same items: whoever gets it may change it and leave the other as it is. */
export function shallowCopy(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).slice();
  if (!isRecord(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [key, item] of Object.entries(value)) setField(copy, key, item);
  return copy;
}
