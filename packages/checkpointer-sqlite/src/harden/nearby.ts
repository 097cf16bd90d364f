import { createHash, randomUUID } from "node:crypto";
import type { ChannelVersions } from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer, WriteHooks } from "@threadkeep/serde";
import type { AsideName, Nearby } from "@threadkeep/serde/policy";
import type { ThreadkeepSaver } from "../saver-protocol.ts";
import type { KnownCheckpoint } from "./known-checkpoints.ts";

/** What one call of a saver stores, and where. */
export interface SaverCall {
  readonly saver: ThreadkeepSaver;
  readonly threadId: unknown;
  readonly ns: unknown;
  readonly hooks: WriteHooks;
}

/** Values that are stored beside those that refer to them, each once. */
export class Aside {
  readonly entries: Record<AsideName, unknown> = {};
  readonly #names = new Map<string, AsideName>();
  readonly #prefix: AsideName;
  readonly #bytes: ValueBytes;

  /** Names of one checkpoint's own entries need no `scope`; those of its writes must not meet. */
  constructor(bytes: ValueBytes, scope: "checkpoint" | "writes") {
    this.#prefix = scope === "checkpoint" ? "aside:" : `aside:${randomUUID()}:`;
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** Undefined for what can't be stored: storing it where it stands says why, with its place. */
  add(value: unknown): AsideName | undefined {
    const bytes = this.#bytes.of(value);
    if (bytes === undefined) return undefined;
    const digest = createHash("sha256").update(bytes).digest("base64");
    const known = this.#names.get(digest);
    if (known !== undefined) return known;
    const name: AsideName = `${this.#prefix}${this.#names.size}`;
    this.#names.set(digest, name);
    this.entries[name] = value;
    return name;
  }
}

/** The bytes of values within one call, in which nothing changes. */
export class ValueBytes {
  readonly #serializer: MsgpackSerializer;
  readonly #hooks: WriteHooks;
  readonly #known = new Map<object, Uint8Array | undefined>();

  constructor(serializer: MsgpackSerializer, hooks: WriteHooks) {
    this.#serializer = serializer;
    this.#hooks = hooks;
  }

  of(value: unknown): Uint8Array | undefined {
    if (typeof value !== "object" || value === null) return this.#dump(value);
    if (!this.#known.has(value)) this.#known.set(value, this.#dump(value));
    return this.#known.get(value);
  }

  areSame(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    const bytes = this.of(a);
    const others = this.of(b);
    return bytes !== undefined && others !== undefined && Buffer.compare(bytes, others) === 0;
  }

  #dump(value: unknown): Uint8Array | undefined {
    try {
      return this.#serializer.write(value, this.#hooks).bytes;
    } catch {
      return undefined;
    }
  }
}

/** In one call channels and Sends are stored as they are now: what is one object stays one. */
export function nearValues(
  call: SaverCall,
  values: Readonly<Record<string, unknown>>,
  versions: ChannelVersions,
  newVersions: ChannelVersions,
  bytes: ValueBytes,
  aside: Aside,
): Nearby {
  // That a channel is stored as it is now costs nothing to see when the same call stores it.
  const isWorthAsking = (key: string): boolean =>
    Object.hasOwn(newVersions, key) || call.saver.sharesParts !== true;
  const inMemory = (key: string): unknown =>
    Object.hasOwn(values, key) && isWorthAsking(key) ? values[key] : undefined;
  // A channel whose version is known keeps what was stored under it, whatever became of it since.
  const isHeld = remembered((key: string, value: unknown) =>
    holds(call, key, versions[key], value),
  );
  return {
    inMemory,
    isInWrite: () => false,
    isInChannel(key, value) {
      if (!Object.hasOwn(values, key)) return false;
      return Object.hasOwn(newVersions, key)
        ? bytes.areSame(value, values[key])
        : isHeld(key, value);
    },
    aside: (value) => aside.add(value),
  };
}

/** Writes belong to a checkpoint that was stored before: what it holds is compared with its bytes. */
export function nearWrites(
  call: SaverCall,
  writes: readonly (readonly [string, unknown])[],
  taskId: string,
  checkpoint: KnownCheckpoint | undefined,
  bytes: ValueBytes,
  aside: Aside,
): Nearby {
  const isFirst = checkpoint !== undefined && !checkpoint.written.has(taskId);
  return {
    inMemory: (key) =>
      call.saver.sharesParts === true ? undefined : checkpoint?.objects.get(key)?.deref(),
    isInWrite(key, value) {
      const own = writes.filter(([channel]) => channel === key);
      return isFirst && own.length === 1 && bytes.areSame(value, own[0]?.[1]);
    },
    isInChannel: remembered((key: string, value: unknown) =>
      holds(call, key, checkpoint?.versions[key], value),
    ),
    aside: (value) => aside.add(value),
  };
}

function holds(
  { saver, threadId, ns, hooks }: SaverCall,
  channel: string,
  version: string | number | undefined,
  value: unknown,
): boolean {
  if (version === undefined || typeof threadId !== "string") return false;
  const at = { threadId, ns: typeof ns === "string" ? ns : "", channel, version };
  return saver.holds(at, value, hooks);
}

/** Several Sends carry the same list: it is compared once. */
function remembered(
  test: (key: string, value: unknown) => boolean,
): (key: string, value: unknown) => boolean {
  const results = new Map<string, { readonly value: unknown; readonly result: boolean }>();
  return (key, value) => {
    const last = results.get(key);
    if (last !== undefined && Object.is(last.value, value)) return last.result;
    const result = test(key, value);
    results.set(key, { value, result });
    return result;
  };
}
