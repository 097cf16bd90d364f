import { BaseCache, type CacheFullKey, type CacheNamespace } from "@langchain/langgraph-checkpoint";
import { type MsgpackSerializer, SerdeError } from "@threadkeep/serde";
import type { StatePolicy } from "@threadkeep/serde/policy";
import { TASKS } from "../langgraph.ts";
import { seal, unseal } from "../sealed-text.ts";

interface Pair {
  readonly key: CacheFullKey;
  readonly value: unknown;
  readonly ttl?: number;
}

/** Keeps our entries apart from those of graphs that use the same cache as it is. */
const NAMESPACE = "threadkeep";
const BRAND = Symbol.for("threadkeep.policy-cache");

/**
 * A graph's own view of a node cache, a store that never meets the saver: values are kept exactly,
 * and a task that touched untracked or private state, or wrote what can't be stored, is not cached.
 */
export class PolicyCache extends BaseCache {
  readonly cache: BaseCache;
  readonly #policy: StatePolicy;
  readonly #serializer: () => MsgpackSerializer;

  constructor(cache: BaseCache, policy: StatePolicy, serializer: () => MsgpackSerializer) {
    super(cache.serde);
    this.cache = cache;
    this.#policy = policy;
    this.#serializer = serializer;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether a cache is a graph's view, also of another copy of this package. */
  static is(cache: unknown): cache is PolicyCache {
    return typeof cache === "object" && cache !== null && BRAND in cache;
  }

  override async get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: unknown }[]> {
    const found = await this.cache.get(keys.map(inward));
    return found.flatMap(({ key, value }) => {
      const opened = this.#open(value);
      return opened === undefined ? [] : [{ key: outward(key), value: opened }];
    });
  }

  override async set(pairs: Pair[]): Promise<void> {
    const sealed = pairs
      .map((pair) => ({ ...pair, key: inward(pair.key), value: this.#seal(pair.value) }))
      .filter(({ value }) => value !== undefined);
    if (sealed.length > 0) await this.cache.set(sealed);
  }

  override clear(namespaces: CacheNamespace[]): Promise<void> {
    return this.cache.clear(namespaces.map((namespace) => [NAMESPACE, ...namespace]));
  }

  /** Undefined when the writes must not be kept: without what they touched they would say something else. */
  #seal(writes: unknown): string | undefined {
    const { untracked, private: secret, live } = this.#policy;
    const names = writtenNames(writes);
    if (names.some((name) => untracked.has(name) || secret.has(name))) return undefined;
    let omitted = false;
    const hooks = {
      omit: live.omit,
      onOmit: () => (omitted = true),
      at: ["cache"],
    };
    // The loop does not wait for its cache: a rejection would end the process. Whoever stores the
    // value will be told why it can't be.
    const sealed = unlessRefused(() => seal(this.#serializer(), writes, hooks));
    return omitted ? undefined : sealed;
  }

  /** Undefined for what was stored with types that are not known here: the task runs again. */
  #open(value: unknown): unknown {
    return unlessRefused(() => unseal(this.#serializer(), value));
  }
}

function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (SerdeError.is(error)) return undefined;
    throw error;
  }
}

function inward([namespace, key]: CacheFullKey): CacheFullKey {
  return [[NAMESPACE, ...namespace], key];
}

function outward([namespace, key]: CacheFullKey): CacheFullKey {
  return [namespace.slice(1), key];
}

/** The channels that were written, and the state keys that Sends carry. */
function writtenNames(writes: unknown): string[] {
  if (!Array.isArray(writes)) return [];
  return (writes as [string, unknown][]).flatMap(([channel, value]) => {
    if (channel !== TASKS) return [channel];
    const args = (value as { args?: unknown } | null)?.args;
    return typeof args === "object" && args !== null ? Object.keys(args) : [];
  });
}
