import { isControl } from "../langgraph.ts";
import { Place } from "../place.ts";
import type { StatePolicy } from "./state-policy.ts";

/** LangGraph's channel for Sends. */
export const TASKS = "__pregel_tasks";
/** Under this name values are stored that a `Send` held and that lie nowhere else. */
export const ASIDE = "__threadkeep_aside__";

/** Where a Send's values may lie already, as its saver call sees it. */
export interface Nearby {
  /** Whether the checkpoint's channel of this name will hold the same value on load. */
  isInChannel(key: string, value: unknown, isPrivate: boolean): boolean;
  /** Whether the task's own write to this channel holds the same value. */
  isInWrite(key: string, value: unknown): boolean;
}

/**
 * Sends as they are stored: private and untracked keys of their args, and what the checkpoint holds
 * anyway, become {@link Place}s. Private values that lie nowhere else are added to `aside`.
 */
export function storeSends(
  value: unknown,
  policy: StatePolicy,
  nearby: Nearby,
  aside: unknown[],
): unknown {
  if (Array.isArray(value)) return value.map((send) => storeSend(send, policy, nearby, aside));
  return storeSend(value, policy, nearby, aside);
}

/** A Send keeps everything else: its timeout, and fields of later versions. */
function storeSend(send: unknown, policy: StatePolicy, nearby: Nearby, aside: unknown[]): unknown {
  if (!isControl(send, "Send")) return send;
  const { args } = send as unknown as { readonly args: unknown };
  if (!isPlainRecord(args)) return send;
  const stored: Record<string, unknown> = {};
  let changed = false;
  for (const [key, value] of Object.entries(args)) {
    const place = placeFor(key, value, policy, nearby, aside);
    changed ||= place !== undefined;
    define(stored, key, place ?? value);
  }
  if (!changed) return send;
  return Object.assign(Object.create(Object.getPrototypeOf(send) as object) as object, send, {
    args: stored,
  });
}

function placeFor(
  key: string,
  value: unknown,
  policy: StatePolicy,
  nearby: Nearby,
  aside: unknown[],
): Place | undefined {
  if (policy.untracked.has(key)) {
    policy.live.add(value);
    return new Place("untracked");
  }
  const isPrivate = policy.private.has(key);
  if (isPrivate && nearby.isInWrite(key, value)) return new Place("write");
  if (nearby.isInChannel(key, value, isPrivate)) return new Place("channel");
  if (!isPrivate) return undefined;
  return new Place(aside.push(value) - 1);
}

/** A checkpoint and its pending writes, as far as places are concerned. */
export interface Loaded {
  readonly checkpoint: { channel_values: Record<string, unknown> };
  pendingWrites?: [taskId: string, channel: string, value: unknown][] | undefined;
}

/**
 * Put back what stored Sends held, and take the helping entries away. `live` gives objects for
 * untracked keys; a key for which it has none is left out.
 */
export function restoreSends(loaded: Loaded, live: Readonly<Record<string, unknown>>): void {
  const { channel_values: values } = loaded.checkpoint;
  restore(
    values[TASKS],
    live,
    (key) => values[key],
    () => undefined,
    values[ASIDE],
  );
  delete values[ASIDE];
  const writes = loaded.pendingWrites ?? [];
  for (const [taskId, channel, value] of writes) {
    if (channel !== TASKS) continue;
    const find = (name: string): unknown =>
      writes.find(([id, other]) => id === taskId && other === name)?.[2];
    restore(value, live, (key) => values[key], find, find(ASIDE));
  }
  if (writes.some(([, channel]) => channel === ASIDE)) {
    loaded.pendingWrites = writes.filter(([, channel]) => channel !== ASIDE);
  }
}

function restore(
  value: unknown,
  live: Readonly<Record<string, unknown>>,
  channel: (key: string) => unknown,
  write: (key: string) => unknown,
  aside: unknown,
): void {
  for (const send of Array.isArray(value) ? value : [value]) {
    if (!isControl(send, "Send")) continue;
    const { args } = send as unknown as { readonly args: unknown };
    if (!isPlainRecord(args)) continue;
    for (const [key, place] of Object.entries(args)) {
      if (!Place.is(place)) continue;
      const { source } = place;
      if (source === "untracked") {
        if (Object.hasOwn(live, key)) args[key] = live[key];
        else delete args[key];
      } else if (source === "channel") args[key] = copyOf(channel(key));
      else if (source === "write") args[key] = copyOf(write(key));
      else args[key] = Array.isArray(aside) ? aside[source] : undefined;
    }
  }
}

/** A task may change the list or record that it was sent: the channel's stays its own. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return isPlainRecord(value) ? { ...value } : value;
}

/**
 * Whether two values of one saver call are the same to whoever reads them: one object, or lists or
 * records of the same objects.
 */
export function isSameInPlace(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null) return false;
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => Object.is(item, b[i]));
  if (!isPlainRecord(a) || !isPlainRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && Object.is(a[key], b[key]))
  );
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function define(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
