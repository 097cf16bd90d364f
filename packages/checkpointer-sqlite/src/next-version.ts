/** A channel's version: a thread has numbers or strings, never both. */
export type ChannelVersion = number | string;

/**
 * The version after `current`: the next whole step with a random fraction. Two branches that start
 * from one checkpoint so never give one version to different values.
 *
 * Strings, which LangGraph for Python uses, stay strings in its form: step and fraction in digits.
 */
export function nextVersion<V extends ChannelVersion>(current: V | undefined): V {
  return next(current) as V;
}

/** Another version of the same step, for a value that changed without the loop's knowing. */
export function sameStep<V extends ChannelVersion>(version: V | undefined): V {
  const before = typeof version === "string" ? stepBefore(version) : Math.floor(version ?? 1) - 1;
  return next(before) as V;
}

function stepBefore(version: string): string {
  return String(Number.parseInt(version, 10) - 1);
}

function next(current: ChannelVersion | undefined): ChannelVersion {
  if (typeof current !== "string") return Math.floor(current ?? 0) + 1 + Math.random();
  const step = Number.parseInt(current, 10);
  const digits = String((Number.isNaN(step) ? 0 : step) + 1).padStart(32, "0");
  return `${digits}.${Math.random().toFixed(16).padStart(18, "0").slice(0, 18)}`;
}
