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

/**
 * Changes that are told field by field; they are made in this order, wherever the field has a value.
 * Functions are synchronous.
 */
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

export function isPlainRecord(value: unknown): value is StateRecord {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
