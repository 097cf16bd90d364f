import { isControl } from "../langgraph.ts";
import type { StatePolicy } from "./state-policy.ts";

type Values = Readonly<Record<string, unknown>>;

/** Channels of LangGraph's own through which whole states pass. */
const START = "__start__";
const TASKS = "__pregel_tasks";

/**
 * Channel values without what must not be stored. Copies: the running loop keeps its live objects.
 * Deeper places are left out by identity, when the values are written.
 */
export function stripValues(values: Values, policy: StatePolicy): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [channel, value] of Object.entries(values)) {
    if (policy.untracked.has(channel)) policy.live.add(value);
    else kept[channel] = stripValue(channel, value, policy);
  }
  return kept;
}

/** Pending writes without those to untracked channels. */
export function stripWrites<W extends readonly [channel: string, value: unknown]>(
  writes: readonly W[],
  policy: StatePolicy,
): [string, unknown][] {
  for (const [channel, value] of writes) if (policy.untracked.has(channel)) policy.live.add(value);
  return writes
    .filter(([channel]) => !policy.untracked.has(channel))
    .map(([channel, value]) => [channel, stripValue(channel, value, policy)]);
}

function stripValue(channel: string, value: unknown, policy: StatePolicy): unknown {
  if (channel === START) return stripRecord(value, policy);
  if (channel === TASKS)
    return Array.isArray(value)
      ? value.map((send) => stripSend(send, policy))
      : stripSend(value, policy);
  return value;
}

/** A Send keeps everything but the untracked keys of its args, `timeout` and later fields too. */
function stripSend(send: unknown, policy: StatePolicy): unknown {
  if (!isControl(send, "Send")) return send;
  const { args } = send as unknown as { args: unknown };
  const stripped = stripRecord(args, policy);
  if (stripped === args) return send;
  const copy = Object.create(Object.getPrototypeOf(send) as object) as object;
  return Object.assign(copy, send, { args: stripped });
}

/** The same record when it holds nothing untracked. */
function stripRecord(value: unknown, policy: StatePolicy): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const record = value as Record<string, unknown>;
  const dropped = Object.keys(record).filter((key) => policy.untracked.has(key));
  if (dropped.length === 0) return value;
  const copy = Object.create(Object.getPrototypeOf(record) as object | null) as Record<
    string,
    unknown
  >;
  for (const key of Object.keys(record)) {
    if (policy.untracked.has(key)) policy.live.add(record[key]);
    else copy[key] = record[key];
  }
  return copy;
}
