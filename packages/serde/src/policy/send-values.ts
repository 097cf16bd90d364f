import { isControl } from "../langgraph.ts";

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
