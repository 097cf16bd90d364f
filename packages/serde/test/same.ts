import assert from "node:assert/strict";
import { types } from "node:util";

/**
 * The loaded value equals the stored one: types, prototypes, own fields and whether they are
 * enumerable, their order, the order of items, and what is the same object where.
 *
 * `assert.deepStrictEqual` looks at less, and walks shared objects once for each way to them.
 */
export function assertSame(got: unknown, want: unknown): void {
  compare(got, want, new Map(), "value");
}

function compare(got: unknown, want: unknown, seen: Map<unknown, unknown>, path: string): void {
  if (typeof want !== "object" || want === null) {
    if (!Object.is(got, want)) assert.fail(`${path}: ${show(got)} is not ${show(want)}`);
    return;
  }
  if (typeof got !== "object" || got === null) assert.fail(`${path}: ${show(got)} is no object`);
  const before = seen.get(want);
  if (before !== undefined) {
    if (before !== got) assert.fail(`${path}: is not the one object that it was`);
    return;
  }
  if (got === want) assert.fail(`${path}: is the very object that was stored`);
  seen.set(want, got);
  if (Object.getPrototypeOf(got) !== Object.getPrototypeOf(want))
    assert.fail(`${path}: ${show(got)} is of another class than ${show(want)}`);
  compareContent(got, want, seen, path);
  compareFields(got, want, seen, path);
}

/** The arguments of a Command as they were before its constructor put them in order; nobody reads them. */
const COMMAND = Symbol.for("langgraph.command");

const MESSAGE = Symbol.for("langchain.message");

/** What an object holds beside its own fields. */
function compareContent(
  got: object,
  want: object,
  seen: Map<unknown, unknown>,
  path: string,
): void {
  if (types.isMap(want)) {
    compareList([...(got as typeof want)].flat(), [...want].flat(), seen, `${path}.entries`);
  } else if (types.isSet(want)) {
    compareList([...(got as typeof want)], [...want], seen, `${path}.values`);
  } else if (types.isAnyArrayBuffer(want)) {
    compareBytes(new Uint8Array(got as ArrayBuffer), new Uint8Array(want), path);
  } else if (ArrayBuffer.isView(want)) {
    compareBytes(bytesOf(got as typeof want), bytesOf(want), path);
  } else if (types.isDate(want)) {
    compare((got as Date).getTime(), want.getTime(), seen, `${path}.getTime()`);
  } else if (types.isRegExp(want)) {
    compare(String(got), String(want), seen, path);
  } else if (want instanceof URL) {
    compare((got as URL).href, want.href, seen, `${path}.href`);
  }
}

function compareFields(got: object, want: object, seen: Map<unknown, unknown>, path: string): void {
  if (ArrayBuffer.isView(want)) return;
  const keys = fieldsOf(want);
  assert.deepEqual(fieldsOf(got), keys, `${path}: other fields`);
  const message = MESSAGE in want;
  for (const key of keys) {
    if (message && key === "lc_kwargs") {
      compareArguments(got, want, seen, path);
      continue;
    }
    const wanted = Object.getOwnPropertyDescriptor(want, key) as PropertyDescriptor;
    const given = Object.getOwnPropertyDescriptor(got, key) as PropertyDescriptor;
    const at = `${path}.${String(key)}`;
    if (given.enumerable !== wanted.enumerable) assert.fail(`${at}: not as enumerable as it was`);
    if (key !== COMMAND) compare(Reflect.get(got, key), Reflect.get(want, key), seen, at);
  }
}

/**
 * What a message was built from. Where the message has a field of that name, LangChain looks at the
 * field alone, and so do we: the arguments may be out of date.
 */
function compareArguments(
  got: object,
  want: object,
  seen: Map<unknown, unknown>,
  path: string,
): void {
  const at = `${path}.lc_kwargs`;
  const [given, wanted] = [got, want].map(
    (message) => (message as { lc_kwargs: Record<string, unknown> }).lc_kwargs,
  ) as [Record<string, unknown>, Record<string, unknown>];
  // Their order is lost where LangChain's own empty containers stand among them.
  assert.deepEqual(Object.keys(given).sort(), Object.keys(wanted).sort(), `${at}: other fields`);
  for (const key of Object.keys(wanted)) {
    if (Object.hasOwn(want, key)) assert.ok(Object.hasOwn(got, key), `${at}.${key}`);
    else compare(given[key], wanted[key], seen, `${at}.${key}`);
  }
}

function fieldsOf(value: object): PropertyKey[] {
  const own = Reflect.ownKeys(value);
  // Where an error was built is not part of it; the order of its hidden fields is the engine's business.
  return types.isNativeError(value) ? own.filter((key) => key !== "stack").sort() : own;
}

function compareList(
  got: unknown[],
  want: unknown[],
  seen: Map<unknown, unknown>,
  path: string,
): void {
  if (got.length !== want.length) assert.fail(`${path}: ${got.length} items, not ${want.length}`);
  want.forEach((item, i) => compare(got[i], item, seen, `${path}[${i}]`));
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function compareBytes(got: Uint8Array, want: Uint8Array, path: string): void {
  if (!Buffer.from(got).equals(want)) assert.fail(`${path}: other bytes`);
}

function show(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return `[${(value as { constructor?: { name?: string } }).constructor?.name ?? "object"}]`;
  return Object.is(value, -0) ? "-0" : String(value).slice(0, 60);
}
