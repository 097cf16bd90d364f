import { MsgpackSerializer, type Types } from "@threadkeep/serde";
import { joinHosts } from "@threadkeep/serde/policy";
import type { CompiledGraph, Guard } from "../langgraph.ts";
import type { AnySaver, ThreadkeepSaver } from "../saver-protocol.ts";
import type { Hardening } from "./hardening.ts";
import { KnownCheckpoints } from "./known-checkpoints.ts";
import { LiveChannel } from "./live-channel.ts";
import { PolicyCache } from "./policy-cache.ts";
import { PolicySaver } from "./policy-saver.ts";
import { endWithThreads } from "./thread-ends.ts";
import { ownSaver } from "./typed-saver.ts";

/** What stands at the doors of a hardened graph. */
export function createGuard(
  graph: CompiledGraph,
  hardening: Hardening,
  hardenCopy: <T extends object>(copy: T) => T,
): Guard {
  const { policy } = hardening;
  const adopted = new WeakMap<object, Adopted>();

  function adopt(base: AnySaver): Adopted {
    const found = adopted.get(base);
    if (found !== undefined) return found;
    const adopting = new Adopted(base, hardening);
    adopted.set(base, adopting);
    return adopting;
  }

  return {
    saver(saver, ns) {
      // The saver of a graph around this one: what either learns must stay out of both.
      if (PolicySaver.is(saver)) policy.live.joinInto(saver.policy.live);
      return adopt(PolicySaver.is(saver) ? saver.base : saver).view(ns);
    },
    cache: (cache) =>
      new PolicyCache(PolicyCache.is(cache) ? cache.cache : cache, policy, () =>
        serializerOf(graph.checkpointer, hardening),
      ),
    hasResources: () => hardening.hosts.length > 0,
    async enter(threadId) {
      const { hosts } = hardening;
      if (threadId === undefined || hosts.length === 0)
        return { channels: {}, leave: () => undefined };
      const host = joinHosts(hosts);
      const objects = await host.ensure(threadId);
      host.retain(threadId);
      for (const object of Object.values(objects)) policy.live.add(object);
      const channels = Object.entries(objects).flatMap(([key, object]) => {
        const channel = graph.channels[key];
        return LiveChannel.is(channel) ? [[key, channel.startingWith(object)] as const] : [];
      });
      return { channels: Object.fromEntries(channels), leave: () => host.release(threadId) };
    },
    copy: (copy) => hardenCopy(copy as object) as typeof copy,
  };
}

/** A saver that a hardened graph works with. */
class Adopted {
  readonly #base: AnySaver;
  readonly #hardening: Hardening;
  readonly #checkpoints = new KnownCheckpoints();
  #saver: ThreadkeepSaver;
  #types = 0;
  /** The view of the graph on its own, not inside of another. */
  #root: PolicySaver | undefined;

  constructor(base: AnySaver, hardening: Hardening) {
    const own = ownSaver(base);
    this.#base = base;
    this.#hardening = hardening;
    this.#saver = own;
    this.#typed();
    endWithThreads(own, hardening);
  }

  view(ns: string): PolicySaver {
    return ns === "" ? (this.#root ??= this.#view(ns)) : this.#view(ns);
  }

  #view(ns: string): PolicySaver {
    const view = { base: this.#base, saver: () => this.#typed(), rules: this.#hardening, ns };
    return new PolicySaver(view, this.#checkpoints);
  }

  /** The saver with all the types that the graph has been given by now. */
  #typed(): ThreadkeepSaver {
    const { types } = this.#hardening;
    for (; this.#types < types.length; this.#types++)
      this.#saver = this.#saver.withAllowlist(types[this.#types] as Types);
    return this.#saver;
  }
}

/** The cache speaks with the saver's types, or with the given ones where there is no saver. */
function serializerOf(saver: unknown, { types }: Hardening): MsgpackSerializer {
  const serde = PolicySaver.is(saver) ? saver.serde : undefined;
  if (MsgpackSerializer.is(serde)) return serde;
  return types.reduce<MsgpackSerializer>(
    (serializer, more) => serializer.withAllowlist(more),
    new MsgpackSerializer(),
  );
}
