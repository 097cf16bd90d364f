/** A place where a value came back as another one. */
export interface Difference {
  readonly path: string;
  /** What was there, by its kind. */
  readonly was: string;
  readonly is: string;
}

const MAX = 20;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Where two values differ in kind or content; each object is compared once. */
export function differences(was: unknown, is: unknown, path = ""): Difference[] {
  const found: Difference[] = [];
  compare(was, is, path, found, new Set());
  return found;
}

function compare(
  was: unknown,
  is: unknown,
  path: string,
  found: Difference[],
  seen: Set<object>,
): void {
  if (found.length >= MAX || Object.is(was, is)) return;
  const [wasKind, isKind] = [kindOf(was), kindOf(is)];
  if (wasKind !== isKind) return void found.push({ path, was: wasKind, is: isKind });
  if (typeof was !== "object" || was === null || typeof is !== "object" || is === null) {
    return void found.push({ path, was: wasKind, is: `another ${isKind}` });
  }
  if (seen.has(was)) return;
  seen.add(was);
  compareContent(was, is, path, found, seen);
}

function compareContent(
  was: object,
  is: object,
  path: string,
  found: Difference[],
  seen: Set<object>,
): void {
  const differ = (what: string): void => void found.push({ path, was: kindOf(was), is: what });
  if (was instanceof Date || was instanceof RegExp || was instanceof URL) {
    if (String(was) !== String(is) || Number(was) !== Number(is))
      if (!(Number.isNaN(Number(was)) && String(was) === String(is)))
        differ("one with another content");
    return;
  }
  if (ArrayBuffer.isView(was)) {
    if (Buffer.compare(bytesOf(was), bytesOf(is as ArrayBufferView)) !== 0)
      differ("one with other bytes");
    return;
  }
  if (was instanceof Map && is instanceof Map) {
    if (was.size !== is.size) differ(`one with ${is.size} entries in place of ${was.size}`);
    const entries = [...is];
    [...was].forEach(([key, value], i) => {
      compare(key, entries[i]?.[0], `${path}.keys()[${i}]`, found, seen);
      compare(value, entries[i]?.[1], `${path}.get(${printKey(key)})`, found, seen);
    });
    return;
  }
  if (was instanceof Set && is instanceof Set) {
    if (was.size !== is.size) differ(`one with ${is.size} items in place of ${was.size}`);
    const items = [...is];
    [...was].forEach((item, i) => compare(item, items[i], `${path}.values()[${i}]`, found, seen));
    return;
  }
  if (was instanceof Error && was.message !== (is as Error).message)
    differ("one with another message");
  const keys = new Set([...keysOf(was), ...keysOf(is)]);
  for (const key of keys) {
    const step =
      Array.isArray(was) && /^\d+$/.test(key)
        ? `[${key}]`
        : IDENTIFIER.test(key)
          ? `.${key}`
          : `[${JSON.stringify(key)}]`;
    compare(
      read(was, key),
      read(is, key),
      path === "" && step.startsWith(".") ? key : path + step,
      found,
      seen,
    );
  }
}

/** LangChain keeps the arguments of a message beside its fields: the same values once more. */
function keysOf(object: object): string[] {
  return Object.keys(object).filter((key) => key !== "lc_kwargs");
}

const ABSENT = Symbol("absent");

function read(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : ABSENT;
}

function kindOf(value: unknown): string {
  if (value === ABSENT) return "nothing";
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: unknown } } | null;
  const name = prototype?.constructor?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}

function printKey(key: unknown): string {
  return typeof key === "string"
    ? JSON.stringify(key)
    : typeof key === "object"
      ? "<object>"
      : String(key);
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
