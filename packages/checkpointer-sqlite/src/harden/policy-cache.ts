import { BaseCache, type CacheFullKey, type CacheNamespace } from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer } from "@threadkeep/serde";
import { type StatePolicy, TASKS } from "@threadkeep/serde/policy";
import { seal, unseal } from "../sealed-text.ts";

interface Pair {
  readonly key: CacheFullKey;
  readonly value: unknown;
  readonly ttl?: number;
}

/**
 * A graph's own view of a node cache, a store that never meets the saver: values are kept exactly,
 * and a task that touched untracked or private state is not cached.
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
  }

  override async get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: unknown }[]> {
    const found = await this.cache.get(keys);
    return found.map(({ key, value }) => ({ key, value: unseal(this.#serializer(), value) }));
  }

  override async set(pairs: Pair[]): Promise<void> {
    const sealed = pairs
      .map((pair) => ({ ...pair, value: this.#seal(pair.value) }))
      .filter(({ value }) => value !== undefined);
    if (sealed.length > 0) await this.cache.set(sealed);
  }

  override clear(namespaces: CacheNamespace[]): Promise<void> {
    return this.cache.clear(namespaces);
  }

  /** Undefined when the writes must not be kept: without what they touched they would say something else. */
  #seal(writes: unknown): string | undefined {
    const { untracked, private: secret, live } = this.#policy;
    const names = writtenNames(writes);
    if (names.some((name) => untracked.has(name) || secret.has(name))) return undefined;
    let omitted = false;
    const sealed = seal(this.#serializer(), writes, {
      omit: (value) => live.has(value),
      onOmit: () => (omitted = true),
      at: ["cache"],
    });
    return omitted ? undefined : sealed;
  }
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
