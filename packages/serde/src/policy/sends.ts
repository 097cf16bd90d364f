import { type AsideName, Place } from "../place.ts";
import { copyRecord, isRecord } from "./record.ts";
import { mapSends, type SendLike, sendsIn, withArgs } from "./send-values.ts";
import { isSameContent, sharedStart } from "./same-content.ts";
import type { StatePolicy } from "./state-policy.ts";

/** What a Send's values are compared with, as its saver call sees it. */
export interface Nearby {
  /** The value of the checkpoint's channel as it is in memory, whether or not it is stored so. */
  inMemory(key: string): unknown;
  /** Whether a load of the checkpoint gives this channel exactly that value. */
  isInChannel(key: string, value: unknown): boolean;
  /** Whether the task's own write to this channel is exactly that value. */
  isInWrite(key: string, value: unknown): boolean;
  /** The name under which a value is stored beside the others; undefined for what can't be stored. */
  aside(value: unknown): AsideName | undefined;
}

/**
 * Sends as they are stored: private and untracked keys of their args, and what the checkpoint holds
 * anyway, become {@link Place}s. A Send keeps everything else: its timeout, and fields of later
 * versions.
 */
export function storeSends(value: unknown, policy: StatePolicy, nearby: Nearby): unknown {
  return mapSends(value, (send) => storeSend(send, policy, nearby));
}

/** Learn the live objects that Sends carry under their names. */
export function learnFromSends(value: unknown, policy: StatePolicy): void {
  for (const { args } of sendsIn(value)) learn(args, policy);
}

function storeSend(send: SendLike, policy: StatePolicy, nearby: Nearby): unknown {
  const { args } = send;
  learn(args, policy);
  if (!isRecord(args)) {
    policy.live.addCopiesIn(args);
    return send;
  }
  const stored = copyRecord(args, (key, value) => {
    const place = placeFor(key, value, policy, nearby);
    policy.live.addCopiesIn(place === undefined ? value : place.tail?.rest);
    return place ?? value;
  });
  return stored === args ? send : withArgs(send, stored);
}

/** Also of an instance with such fields, which is stored as a whole: its live objects are left out of it. */
function learn(args: unknown, { untracked, data, live }: StatePolicy): void {
  if (typeof args !== "object" || args === null) return;
  for (const name of untracked) {
    if (data.has(name)) continue;
    const descriptor = Object.getOwnPropertyDescriptor(args, name);
    if (descriptor !== undefined) live.add(descriptor.value);
  }
}

function placeFor(
  key: string,
  value: unknown,
  policy: StatePolicy,
  nearby: Nearby,
): Place | undefined {
  if (policy.untracked.has(key)) return new Place("untracked");
  if (!policy.private.has(key)) return placeByContent(key, value, nearby);
  // It says nothing, and a channel that holds it is stored as if it were empty.
  if (value === undefined) return undefined;
  if (nearby.isInWrite(key, value)) return new Place("write");
  if (nearby.isInChannel(key, value)) return new Place("channel");
  const name = nearby.aside(value);
  return name === undefined ? undefined : new Place(name);
}

/** What the channel holds too, or a list that goes on after its elements, costs a reference. */
function placeByContent(key: string, value: unknown, nearby: Nearby): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const base = nearby.inMemory(key);
  if (isSameContent(value, base))
    return nearby.isInChannel(key, base) ? new Place("channel") : undefined;
  if (!Array.isArray(value) || !Array.isArray(base)) return undefined;
  const count = sharedStart(value, base);
  if (hasHoles(value, count)) return undefined;
  // A few numbers take no more than the reference would.
  if (!base.slice(0, count).some((item) => typeof item === "object" || typeof item === "string"))
    return undefined;
  if (!nearby.isInChannel(key, base)) return undefined;
  return new Place("channel", { count, rest: value.slice(count) });
}

/** Whether a list has no elements at some of its indices. The rest of a list in a place has them all. */
function hasHoles(list: readonly unknown[], start: number): boolean {
  for (let i = start; i < list.length; i++) if (!(i in list)) return true;
  return false;
}
