import { SaverError } from "../errors.ts";
import { overwritten } from "./overwritten.ts";
import { isPlainRecord, type StateChanges, type StatePart, type StateRecord } from "./steps.ts";
import type { StateStep } from "./steps.ts";

/**
 * The record after a step; the given one is left as it is.
 *
 * @throws {@link SaverError} `migration_failed`, which names the field: where a step failed, and where
 * a value would have been lost
 */
export function takeStep(step: StateStep, state: StateRecord, part: StatePart): StateRecord {
  const next =
    typeof step === "function"
      ? call("the step", () => step({ ...state }, part))
      : change(step, state, part);
  if (!isPlainRecord(next)) throw failed(`the step gave ${what(next)}, not a record of fields`);
  const kept = Object.entries(next).filter(
    ([key, value]) => value !== undefined || (Object.hasOwn(state, key) && state[key] === value),
  );
  const waiting = kept.find(([, value]) => isPromise(overwritten(value)?.value ?? value));
  if (waiting !== undefined)
    throw failed(`the field ${JSON.stringify(waiting[0])} became a Promise; steps are synchronous`);
  return Object.fromEntries(kept);
}

function change(changes: StateChanges, state: StateRecord, part: StatePart): StateRecord {
  const { rename = {}, convert = {}, split = {}, remove = [], add = {} } = changes;
  let next = renamed(rename, state);
  for (const [key, make] of own(convert, next))
    next[key] = converted(`convert.${key}`, next[key], (value) => make(value as never, part));
  for (const [key, make] of own(split, next))
    next = spread(next, key, (value) => make(value as never, part));
  for (const key of remove) delete next[key];
  if (part.kind !== "checkpoint") return next;
  for (const [key, make] of Object.entries(add)) {
    if (next[key] === undefined) next[key] = call(`add.${key}`, () => make({ ...next }));
  }
  return next;
}

/** No prototype: a field may have any name. */
const none = (): StateRecord => Object.create(null) as StateRecord;

function renamed(rename: Readonly<Record<string, string>>, state: StateRecord): StateRecord {
  const next = none();
  const from = new Map<string, string>();
  for (const [key, value] of Object.entries(state)) {
    const name = (Object.hasOwn(rename, key) ? rename[key] : undefined) ?? key;
    const other = from.get(name);
    if (other !== undefined) {
      const old = name === key ? other : key;
      throw failed(
        `rename.${old}: the field ${JSON.stringify(name)} is there already; rename or split that one too, or remove it in a step before`,
      );
    }
    from.set(name, key);
    next[name] = value;
  }
  return next;
}

/** A value that overwrites a channel is changed inside of its wrapper. */
function converted(at: string, value: unknown, make: (value: unknown) => unknown): unknown {
  const wrapper = overwritten(value);
  const before = wrapper === undefined ? value : wrapper.value;
  const made = call(at, () => make(before));
  if (made === undefined && before !== undefined)
    throw failed(`${at} gave undefined; return the new value, or name the field in remove`);
  return wrapper === undefined ? made : wrapper.wrap(made);
}

function spread(
  state: StateRecord,
  key: string,
  make: (value: unknown) => StateRecord,
): StateRecord {
  const next = Object.assign(none(), state);
  delete next[key];
  const wrapper = overwritten(state[key]);
  const parts = call(`split.${key}`, () =>
    make(wrapper === undefined ? state[key] : wrapper.value),
  );
  if (!isPlainRecord(parts))
    throw failed(`split.${key} gave ${what(parts)}, not a record of fields`);
  for (const [name, part] of Object.entries(parts)) {
    if (Object.hasOwn(next, name))
      throw failed(`split.${key}: the field ${JSON.stringify(name)} is there already`);
    next[name] = wrapper === undefined ? part : wrapper.wrap(part);
  }
  return next;
}

/** The entries about fields that have a value. */
function own<T>(changes: Readonly<Record<string, T>>, state: StateRecord): [string, T][] {
  return Object.entries(changes).filter(([key]) => Object.hasOwn(state, key));
}

/** What a function of the user's gives; a failure says which one it was. */
function call<T>(at: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const thrown = cause instanceof Error ? cause.name : "something that is no Error";
    throw failed(`${at} threw ${thrown}`, cause);
  }
}

function isPromise(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

function what(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (isPromise(value)) return "a Promise (steps are synchronous)";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

function failed(message: string, cause?: unknown): SaverError {
  return new SaverError("migration_failed", message, cause === undefined ? undefined : { cause });
}
