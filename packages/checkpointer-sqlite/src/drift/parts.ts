import { mapSends, type SendLike, TASKS, withArgs } from "@threadkeep/serde/policy";
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
  return name === TASKS ? mapSends(value, (send) => changeSend(send, change)) : value;
}

function changeSend(send: SendLike, change: Change): unknown {
  const { args, node } = send;
  if (!isPlainRecord(args) || typeof node !== "string") return send;
  return withArgs(send, change(args, { kind: "send", node }));
}
