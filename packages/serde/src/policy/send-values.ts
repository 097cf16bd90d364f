import { isControl } from "../langgraph.ts";
import { Place } from "../place.ts";
import { isRecord } from "./record.ts";

/** A Send, as far as it is looked at. */
export interface SendLike {
  readonly node: unknown;
  readonly args: unknown;
}

/**
 * The Sends in a value of LangGraph's channel for them: one, a list, or, in versions to about 1.4.5, a
 * list beside another one.
 */
export function sendsIn(value: unknown): SendLike[] {
  if (Array.isArray(value)) return value.flatMap(sendsIn);
  return isControl(value, "Send") ? [value as unknown as SendLike] : [];
}

/** Such a value with other Sends in it. */
export function mapSends(value: unknown, change: (send: SendLike) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapSends(each, change));
  return isControl(value, "Send") ? change(value as unknown as SendLike) : value;
}

/** A Send with other args, and everything else as it was. */
export function withArgs(send: SendLike, args: unknown): object {
  const copy = Object.create(Object.getPrototypeOf(send) as object) as object;
  return Object.assign(copy, send, { args });
}

/**
 * All Sends that lists, records and other Sends hold in a value, at any depth. `seen` gets every
 * object that was looked into.
 */
export function sendsWithin(value: unknown, seen: Set<object> = new Set()): SendLike[] {
  const sends: SendLike[] = [];
  const open = [value];
  while (open.length > 0) {
    const at = open.pop();
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    seen.add(at);
    if (Array.isArray(at)) for (const item of at as unknown[]) open.push(item);
    else if (isRecord(at)) for (const item of Object.values(at)) open.push(item);
    else if (Place.is(at)) open.push(at.tail?.rest);
    else if (isControl(at, "Send")) {
      const send = at as unknown as SendLike;
      sends.push(send);
      open.push(send.args);
    }
  }
  return sends;
}
