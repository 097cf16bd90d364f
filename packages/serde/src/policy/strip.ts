import { START } from "../langgraph.ts";
import { setField } from "./record.ts";
import type { StatePolicy } from "./state-policy.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Channel values without what must not be stored. Copies: the running loop keeps its live objects.
 * Deeper places are left out by identity, when the values are written.
 */
export function stripValues(values: Values, policy: StatePolicy): Record<string, unknown> {
  const entries = Object.entries(values);
  learn(entries, policy);
  const kept: Record<string, unknown> = {};
  for (const [channel, value] of strip(entries, policy)) setField(kept, channel, value);
  return kept;
}

/** Pending writes without those to untracked channels, and without those of a live object to another. */
export function stripWrites(
  writes: readonly (readonly [channel: string, value: unknown])[],
  policy: StatePolicy,
): [string, unknown][] {
  learn(writes, policy);
  return strip(writes, policy);
}

function strip(
  entries: readonly (readonly [channel: string, value: unknown])[],
  policy: StatePolicy,
): [string, unknown][] {
  return entries
    .filter(([channel, value]) => !policy.untracked.has(channel) && !isLive(value, policy))
    .map(([channel, value]) => [channel, channel === START ? stripInput(value, policy) : value]);
}

function isLive(value: unknown, { live }: StatePolicy): boolean {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    live.has(value)
  );
}

function learn(
  values: readonly (readonly [name: string, value: unknown])[],
  { untracked, data, live }: StatePolicy,
): void {
  for (const [name, value] of values) if (untracked.has(name) && !data.has(name)) live.add(value);
}

/** An input is a state: the same record when it holds nothing untracked. */
function stripInput(input: unknown, policy: StatePolicy): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  const kept = entries.filter(([key]) => !policy.untracked.has(key));
  if (kept.length === entries.length) return input;
  learn(entries, policy);
  const copy = Object.create(Object.getPrototypeOf(input) as object | null) as object;
  for (const [key, value] of kept) setField(copy, key, value);
  return copy;
}
