import { types } from "node:util";
import { isControl } from "../langgraph.ts";
import { type AsideName, Place } from "../place.ts";
import { copyRecord, isRecord, setField } from "./record.ts";
import { mapSends, type SendLike, sendsWithin, withArgs } from "./send-values.ts";
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
 * anyway, become {@link Place}s, also in Sends that other Sends carry. A Send keeps everything else:
 * its timeout, and fields of later versions.
 */
export function storeSends(value: unknown, policy: StatePolicy, nearby: Nearby): unknown {
  const store = new SendStore(policy, nearby);
  return mapSends(value, (send) => store.store(send));
}

/** Learn the live objects that Sends carry under their names, and the copies that were made of any. */
export function learnFromSends(value: unknown, policy: StatePolicy): void {
  for (const { args } of sendsWithin(value)) learn(args, policy);
  policy.live.addCopiesIn(value);
}

/** Deeper values are left as they are: the writer has its own limit. */
const MAX_DEPTH = 1000;

class SendStore {
  readonly #policy: StatePolicy;
  readonly #nearby: Nearby;
  /** Args of Sends whose keys are names of the state. */
  readonly #args = new Set<unknown>();
  /** What stands for Sends that carry others, and for what is on the way there. */
  readonly #copies = new Map<object, object>();

  constructor(policy: StatePolicy, nearby: Nearby) {
    this.#policy = policy;
    this.#nearby = nearby;
  }

  store(send: SendLike): unknown {
    const { args } = send;
    learn(args, this.#policy);
    if (!isRecord(args)) return this.#hasInner(send, [args]) ? this.#copy(send) : send;
    this.#policy.live.addIfCopy(args);
    // The writer refuses it: without its args it is no Send.
    if (this.#policy.live.has(args)) return send;
    const open: unknown[] = [];
    const stored = copyRecord(args, (key, value) => {
      const place = placeFor(key, value, this.#policy, this.#nearby);
      open.push(place === undefined ? value : place.tail?.rest);
      return place ?? value;
    });
    if (this.#hasInner(send, open)) return this.#copy(send);
    return stored === args ? send : withArgs(send, stored);
  }

  /** Whether values hold Sends, or their own args; learns what there is to learn of them. */
  #hasInner(send: SendLike, values: readonly unknown[]): boolean {
    const seen = new Set<object>();
    const inner = sendsWithin(values, seen);
    for (const { args } of inner) learn(args, this.#policy);
    this.#policy.live.addCopiesIn(values);
    if (inner.length === 0 && !seen.has(send.args as object)) return false;
    for (const { args } of [send, ...inner]) this.#args.add(args);
    return true;
  }

  /** A copy in which every Send is as it is stored, cycles and shared objects included. */
  #copy(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    if (this.#policy.live.has(value)) return value;
    if (isControl(value, "Send")) {
      const send = value as unknown as SendLike;
      const copy = withArgs(send, undefined);
      this.#copies.set(value, copy);
      return Object.assign(copy, { args: this.#copy(send.args, depth + 1) });
    }
    const copy = blankLike(value);
    if (copy === undefined) return value;
    this.#copies.set(value, copy);
    const isArgs = !Array.isArray(value) && this.#args.has(value);
    for (const [key, item] of Object.entries(value) as [string, unknown][])
      setField(copy, key, isArgs ? this.#stored(key, item, depth) : this.#copy(item, depth + 1));
    return copy;
  }

  #stored(key: string, value: unknown, depth: number): unknown {
    const place = placeFor(key, value, this.#policy, this.#nearby);
    if (place === undefined) return this.#copy(value, depth + 1);
    if (place.tail === undefined) return place;
    const { count, rest } = place.tail;
    return new Place(place.source, { count, rest: this.#copy(rest, depth + 1) as unknown[] });
  }
}

/** An empty list or record for the items of another; undefined for what is none or has more than them. */
function blankLike(value: object): object | undefined {
  if (Object.getOwnPropertySymbols(value).length > 0) return undefined;
  if (!Array.isArray(value))
    return isRecord(value)
      ? (Object.create(Object.getPrototypeOf(value) as object | null) as object)
      : undefined;
  if (Object.getPrototypeOf(value) !== Array.prototype) return undefined;
  const list: unknown[] = [];
  list.length = value.length;
  return list;
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
  policy.live.addCopiesIn(value);
  for (const { args } of sendsWithin(value)) learn(args, policy);
  if (isLive(value, policy)) return undefined;
  // What lies elsewhere is copied on load, one level of it, which would cut a cycle open.
  if (!reachesItself(value)) {
    if (nearby.isInWrite(key, value)) return new Place("write");
    if (nearby.isInChannel(key, value)) return new Place("channel");
  }
  const name = nearby.aside(value);
  return name === undefined ? undefined : new Place(name);
}

/** What the channel holds too, or a list that goes on after its elements, costs a reference. */
function placeByContent(key: string, value: unknown, nearby: Nearby): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const base = nearby.inMemory(key);
  // Copies are compared, and those with cycles never match.
  if (value === base && reachesItself(value)) return undefined;
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

function isLive(value: unknown, { live }: StatePolicy): boolean {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    live.has(value)
  );
}

/** Whether a list or record holds itself somewhere, also in what is no list or record. */
function reachesItself(value: unknown): boolean {
  if (!Array.isArray(value) && !isRecord(value)) return false;
  const seen = new Set<object>();
  const open: unknown[] = partsOf(value);
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    if (at === value) return true;
    seen.add(at);
    for (const part of partsOf(at)) open.push(part);
  }
  return false;
}

function partsOf(value: object): unknown[] {
  if (types.isProxy(value) || ArrayBuffer.isView(value)) return [];
  const parts: unknown[] = Object.values(Object.getOwnPropertyDescriptors(value)).map(
    (field) => field.value as unknown,
  );
  if (types.isMap(value)) parts.push(...value.keys(), ...value.values());
  if (types.isSet(value)) parts.push(...value);
  return parts;
}
