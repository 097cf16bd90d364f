import { SerdeError } from "../errors.ts";
import { TASKS } from "../langgraph.ts";
import { Place } from "../place.ts";
import { isRecord, setField, shallowCopy } from "./record.ts";
import { sendsWithin } from "./send-values.ts";

/** Under this name values are stored that a `Send` held and that lie nowhere else. */
export const ASIDE = "__threadkeep_aside__";

/** A checkpoint and its pending writes, as far as places are concerned. */
export interface Loaded {
  readonly checkpoint: {
    readonly channel_values: Record<string, unknown>;
    readonly channel_versions: Record<string, unknown>;
  };
  pendingWrites?: [taskId: string, channel: string, value: unknown][] | undefined;
}

/**
 * Put back what stored Sends held, and take the helping entries away. `live` gives objects for
 * untracked keys; a key for which it has none is left out.
 *
 * @throws {@link SerdeError} `malformed_payload` when a value is not where its Send says
 */
export function restoreSends(loaded: Loaded, live: Readonly<Record<string, unknown>>): void {
  const { channel_values: values, channel_versions: versions } = loaded.checkpoint;
  const writes = loaded.pendingWrites ?? [];
  const aside = new Map(
    [
      values[ASIDE],
      ...writes.filter(([, channel]) => channel === ASIDE).map(([, , value]) => value),
    ]
      .filter(isRecord)
      .flatMap((entries) => Object.entries(entries)),
  );
  const channel = (key: string): Found => find(values, key);
  restore(values[TASKS], { live, aside, channel, write: () => undefined });
  for (const [taskId, name, value] of writes) {
    if (name !== TASKS) continue;
    const write = (key: string): Found => {
      const own = writes.find(([id, other]) => id === taskId && other === key);
      return own === undefined ? undefined : { value: own[2] };
    };
    restore(value, { live, aside, channel, write });
  }
  delete values[ASIDE];
  delete versions[ASIDE];
  if (writes.some(([, name]) => name === ASIDE))
    loaded.pendingWrites = writes.filter(([, name]) => name !== ASIDE);
}

type Found = { readonly value: unknown } | undefined;

interface Sources {
  readonly live: Readonly<Record<string, unknown>>;
  readonly aside: ReadonlyMap<string, unknown>;
  channel(key: string): Found;
  write(key: string): Found;
}

function restore(value: unknown, sources: Sources): void {
  for (const { args, node } of sendsWithin(value)) {
    if (!isRecord(args)) continue;
    for (const [key, place] of Object.entries(args)) {
      if (!Place.is(place)) continue;
      if (place.source === "untracked") {
        if (Object.hasOwn(sources.live, key)) setField(args, key, sources.live[key]);
        else delete args[key];
        continue;
      }
      const found = valueAt(place, key, sources);
      if (found === undefined) throw missing(node, key, place);
      setField(args, key, found.value);
    }
  }
}

function valueAt({ source, tail }: Place, key: string, sources: Sources): Found {
  if (source.startsWith("aside:"))
    return sources.aside.has(source) ? { value: sources.aside.get(source) } : undefined;
  const found = source === "write" ? sources.write(key) : sources.channel(key);
  if (found === undefined) return undefined;
  if (tail === undefined) return { value: shallowCopy(found.value) };
  if (!Array.isArray(found.value) || found.value.length < tail.count) return undefined;
  return { value: [...(found.value as unknown[]).slice(0, tail.count), ...tail.rest] };
}

function find(values: Readonly<Record<string, unknown>>, key: string): Found {
  return Object.hasOwn(values, key) ? { value: values[key] } : undefined;
}

function missing(node: unknown, key: string, place: Place): SerdeError {
  return new SerdeError({
    code: "malformed_payload",
    path: `Send(${JSON.stringify(node)}).args.${key}`,
    message: `its value is not where it should be stored (${place.source})`,
  });
}
