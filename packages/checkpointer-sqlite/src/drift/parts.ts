import { TASKS } from "@threadkeep/serde/policy";
import { isPlainRecord, type StatePart, type StateRecord } from "./steps.ts";

/** Channels that hold no state of the user's: LangGraph's own, and those that say which node runs next. */
const INTERNAL = /^(?:__|branch:|join:)/;
/** LangGraph's channel for a run's whole input. */
const START = "__start__";

/** A pending write. */
export type PendingWrite = [taskId: string, channel: string, value: unknown];

/** Turns one record of state fields into another. */
export type Change = (state: StateRecord, part: StatePart) => StateRecord;

export function isStateChannel(name: string): boolean {
  return !INTERNAL.test(name);
}

/** The fields among a checkpoint's values. */
export function stateOf(values: StateRecord): StateRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isStateChannel(name)));
}

/** A checkpoint's values with its fields changed, and what waits in it: an input, Sends. */
export function changeValues(values: StateRecord, change: Change): StateRecord {
  const own = Object.entries(values).filter(([name]) => !isStateChannel(name));
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, changeWaiting(name, value, change)])),
    ...change(stateOf(values), { kind: "checkpoint" }),
  };
}

/** What one task wrote, with its fields changed: at once where each was written once. */
export function changeWrites(writes: readonly PendingWrite[], change: Change): PendingWrite[] {
  const isOwn = ([, name]: PendingWrite): boolean => isStateChannel(name);
  const fields = writes.filter(isOwn);
  const [first] = fields;
  const together = new Set(fields.map(([, name]) => name)).size === fields.length;
  return writes.flatMap((write): PendingWrite[] => {
    const [taskId, name, value] = write;
    if (!isOwn(write)) return [[taskId, name, changeWaiting(name, value, change)]];
    if (together && write !== first) return [];
    const update = together
      ? Object.fromEntries(fields.map(([, field, written]) => [field, written]))
      : { [name]: value };
    const changed = Object.entries(change(update, { kind: "update" }));
    return changed.map(([field, made]) => [taskId, field, made]);
  });
}

/** State that waits in a channel of LangGraph's own. */
function changeWaiting(name: string, value: unknown, change: Change): unknown {
  if (name === START) return isPlainRecord(value) ? change(value, { kind: "input" }) : value;
  if (name !== TASKS) return value;
  return Array.isArray(value)
    ? value.map((send: unknown) => changeSend(send, change))
    : changeSend(value, change);
}

/** A Send keeps everything but its args. */
function changeSend(send: unknown, change: Change): unknown {
  if (typeof send !== "object" || send === null) return send;
  const { args, node } = send as { readonly args?: unknown; readonly node?: unknown };
  if (!isPlainRecord(args) || typeof node !== "string") return send;
  const copy = Object.create(Object.getPrototypeOf(send) as object) as object;
  return Object.assign(copy, send, { args: change(args, { kind: "send", node }) });
}
