import { SaverError } from "../errors.ts";

/** Values of a state's fields by name. */
export type StateRecord = Record<string, unknown>;

/** What a step is given a part of. */
export interface StatePart {
  /**
   * `checkpoint`: all fields that have a value. `update`: what one node wrote and is not applied yet.
   * `input`: what a run was started with. `send`: what waits to be sent to a node. All but the first
   * hold only some of the fields.
   */
  readonly kind: "checkpoint" | "update" | "input" | "send";
  /** The node that a `send` goes to. */
  readonly node?: string;
}

/** Changes that are told field by field; they are made in this order, wherever the field has a value. */
export interface StateChanges {
  /** Old name to new name. The names below are new ones. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The value that stands for an old one. */
  readonly convert?: Readonly<Record<string, (value: never, part: StatePart) => unknown>>;
  /** The fields that one field becomes. */
  readonly split?: Readonly<Record<string, (value: never, part: StatePart) => StateRecord>>;
  readonly remove?: readonly string[];
  /** Values of new fields, for checkpoints that have none. */
  readonly add?: Readonly<Record<string, (state: Readonly<StateRecord>) => unknown>>;
}

/**
 * One step of a state from a version to the next: changes told field by field, or a function that is
 * given a record and gives a new one. A function has to look whether a field is there: an `update`
 * holds only what was written. A field that it leaves undefined is gone.
 */
export type StateStep = StateChanges | ((state: StateRecord, part: StatePart) => StateRecord);

const CHANGES = ["rename", "convert", "split", "remove", "add"] as const;

/** Whether a value can be a step; a misspelt change would be lost in silence. */
export function isStateStep(step: unknown): step is StateStep {
  if (typeof step === "function") return true;
  return (
    typeof step === "object" &&
    step !== null &&
    Object.keys(step).every((key) => (CHANGES as readonly string[]).includes(key))
  );
}

/** The record after a step; the given one is left as it is. */
export function takeStep(step: StateStep, state: StateRecord, part: StatePart): StateRecord {
  const next = typeof step === "function" ? step({ ...state }, part) : change(step, state, part);
  if (!isPlainRecord(next))
    throw new SaverError("migration_failed", "a step did not give back a record of fields");
  const kept = Object.entries(next).filter(
    ([key, value]) => value !== undefined || (Object.hasOwn(state, key) && state[key] === value),
  );
  return Object.fromEntries(kept);
}

function change(changes: StateChanges, state: StateRecord, part: StatePart): StateRecord {
  const { rename = {}, convert = {}, split = {}, remove = [], add = {} } = changes;
  let next: StateRecord = {};
  for (const [key, value] of Object.entries(state))
    next[(Object.hasOwn(rename, key) ? rename[key] : undefined) ?? key] = value;
  for (const [key, make] of own(convert, next))
    next[key] = through(next[key], (value) => make(value as never, part));
  for (const [key, parts] of own(split, next)) {
    const { [key]: value, ...rest } = next;
    next = { ...rest, ...spread(value, (inner) => parts(inner as never, part)) };
  }
  for (const key of remove) delete next[key];
  if (part.kind !== "checkpoint") return next;
  for (const [key, make] of Object.entries(add)) {
    if (next[key] === undefined) next[key] = make({ ...next });
  }
  return next;
}

/** The entries about fields that have a value. */
function own<T>(changes: Readonly<Record<string, T>>, state: StateRecord): [string, T][] {
  return Object.entries(changes).filter(([key]) => Object.hasOwn(state, key));
}

/** A value that overwrites a channel is changed inside of its wrapper. */
function through(value: unknown, make: (value: unknown) => unknown): unknown {
  const inner = overwritten(value);
  if (inner === undefined) return make(value);
  return inner.wrap(make(inner.value));
}

function spread(value: unknown, make: (value: unknown) => StateRecord): StateRecord {
  const inner = overwritten(value);
  if (inner === undefined) return make(value);
  return Object.fromEntries(
    Object.entries(make(inner.value)).map(([key, part]) => [key, inner.wrap(part)]),
  );
}

const OVERWRITTEN = "__overwrite__";

/** LangGraph's `Overwrite`, as an instance or as the record that stands for one. */
function overwritten(
  value: unknown,
): { readonly value: unknown; wrap(value: unknown): unknown } | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, OVERWRITTEN))
    return undefined;
  if (!Object.keys(value).every((key) => key === OVERWRITTEN || key === "lg_name"))
    return undefined;
  return {
    value: (value as Record<string, unknown>)[OVERWRITTEN],
    wrap: (inner) =>
      Object.assign(Object.create(Object.getPrototypeOf(value) as object) as object, value, {
        [OVERWRITTEN]: inner,
      }),
  };
}

export function isPlainRecord(value: unknown): value is StateRecord {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
