import {
  type ChannelVersions,
  type Checkpoint,
  maxChannelVersion,
  SCHEDULED,
} from "@langchain/langgraph-checkpoint";
import type { ChannelVersion } from "../next-version.ts";
import type { PendingWrite } from "./parts.ts";

/**
 * Where the version of a state is stored: among the versions that LangGraph saw when it was last
 * interrupted. Every saver keeps them with the checkpoint, and LangGraph asks them for channels alone.
 */
const SEEN = "__interrupt__";
const STATE = "__threadkeep_state__";
/** Behind this stand, while a checkpoint is in use, channels whose stored value is an older one. */
const CHANGED = "__threadkeep_changed__:";

/** The key of the mark among pending writes. */
const MARK = "threadkeep_state";

type Seen = Record<string, ChannelVersion>;

/** The version of a checkpoint's state; 1 where none is stored. */
export function stampOf(checkpoint: object): number {
  const { versions_seen: seen } = checkpoint as { readonly versions_seen?: Record<string, Seen> };
  const stamp: unknown = seen?.[SEEN]?.[STATE];
  return typeof stamp === "number" ? stamp : 1;
}

/** A checkpoint as it is stored: with its version, which 1 does not need, and without what was for its use. */
export function stamped(checkpoint: Checkpoint, version: number): Checkpoint {
  const found = Object.entries((checkpoint.versions_seen[SEEN] ?? {}) as Seen);
  const seen = found.filter(([key]) => key !== STATE && !key.startsWith(CHANGED));
  if (version === 1 && seen.length === found.length) return checkpoint;
  if (version > 1) seen.push([STATE, version]);
  return withSeen(checkpoint, seen);
}

/** Channels that have to be stored with a checkpoint although their version is not new to LangGraph. */
export function changedVersions({ versions_seen, channel_versions }: Checkpoint): ChannelVersions {
  const changed = Object.entries((versions_seen[SEEN] ?? {}) as Seen)
    .filter(([key]) => key.startsWith(CHANGED))
    .map(([key, version]) => [key.slice(CHANGED.length), version] as const)
    .filter(([channel, version]) => channel_versions[channel] === version);
  return Object.fromEntries(changed) as ChannelVersions;
}

/**
 * A checkpoint with changed fields: each has a version of its own, because its stored one stands for
 * another value, and whoever had seen the old one has seen the new one.
 */
export function withNewVersions(
  checkpoint: Checkpoint,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  nextVersion: (current: ChannelVersion | undefined) => ChannelVersion,
): Checkpoint {
  const old = checkpoint.channel_versions as Seen;
  const known = Object.values(old);
  const next = nextVersion(known.length > 0 ? maxChannelVersion(...known) : undefined);
  const names = Object.keys(after);
  const versions = Object.fromEntries([
    ...Object.entries(old).filter(([name]) => !Object.hasOwn(before, name)),
    ...names.map((name) => [name, next] as const),
  ]);
  const seen = Object.entries(checkpoint.versions_seen as Record<string, Seen>).map(
    ([node, channels]) =>
      [
        node,
        Object.fromEntries(
          Object.entries(channels).map(([name, version]) =>
            names.includes(name) && version === old[name] ? [name, next] : [name, version],
          ),
        ),
      ] as const,
  );
  const changed = {
    ...checkpoint,
    channel_versions: versions,
    versions_seen: Object.fromEntries(seen),
  } as Checkpoint;
  const own = Object.entries((changed.versions_seen[SEEN] ?? {}) as Seen);
  return withSeen(changed, [
    ...own.filter(([key]) => key !== STATE),
    ...names.map((name): [string, ChannelVersion] => [`${CHANGED}${name}`, next]),
  ]);
}

/** The mark of writes that were made in another version than their checkpoint's. It replaces an older one. */
export function markOfWrites(version: number): [channel: string, value: unknown] {
  return [SCHEDULED, { [MARK]: version }];
}

/** The version that a write marks; undefined for any other write. */
export function markedVersion([, channel, value]: PendingWrite): number | undefined {
  if (channel !== SCHEDULED || typeof value !== "object" || value === null) return undefined;
  const version = (value as Record<string, unknown>)[MARK];
  return typeof version === "number" ? version : undefined;
}

/** In its place, so that what is stored of it stays alike from step to step. */
function withSeen(checkpoint: Checkpoint, seen: readonly [string, ChannelVersion][]): Checkpoint {
  const versionsSeen: Record<string, Seen> = { ...(checkpoint.versions_seen as object) };
  if (seen.length > 0) versionsSeen[SEEN] = Object.fromEntries(seen);
  else delete versionsSeen[SEEN];
  return { ...checkpoint, versions_seen: versionsSeen } as Checkpoint;
}
