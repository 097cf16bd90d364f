import type { StatePolicy } from "./state-policy.ts";

type Values = Readonly<Record<string, unknown>>;

/** LangGraph's channel for a run's whole input. */
const START = "__start__";

/**
 * Channel values without what must not be stored. Copies: the running loop keeps its live objects.
 * Deeper places are left out by identity, when the values are written.
 */
export function stripValues(values: Values, policy: StatePolicy): Record<string, unknown> {
  learn(Object.entries(values), policy);
  const kept: Record<string, unknown> = {};
  for (const [channel, value] of Object.entries(values)) {
    if (!policy.untracked.has(channel))
      kept[channel] = channel === START ? stripInput(value, policy) : value;
  }
  return kept;
}

/** Pending writes without those to untracked channels. */
export function stripWrites(
  writes: readonly (readonly [channel: string, value: unknown])[],
  policy: StatePolicy,
): [string, unknown][] {
  learn(writes, policy);
  return writes
    .filter(([channel]) => !policy.untracked.has(channel))
    .map(([channel, value]) => [channel, channel === START ? stripInput(value, policy) : value]);
}

function learn(
  values: readonly (readonly [name: string, value: unknown])[],
  { untracked, live }: StatePolicy,
): void {
  for (const [name, value] of values) if (untracked.has(name)) live.add(value);
}

/** An input is a state: the same record when it holds nothing untracked. */
function stripInput(input: unknown, policy: StatePolicy): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  const kept = entries.filter(([key]) => !policy.untracked.has(key));
  if (kept.length === entries.length) return input;
  learn(entries, policy);
  const copy = Object.create(Object.getPrototypeOf(input) as object | null) as object;
  return Object.defineProperties(
    copy,
    Object.fromEntries(
      kept.map(([key, value]) => [
        key,
        { value, enumerable: true, writable: true, configurable: true },
      ]),
    ),
  );
}
