import { MsgpackSerializer, type Types } from "@threadkeep/serde";
import { joinHosts, type ResourceHost, type StatePolicy } from "@threadkeep/serde/policy";
import type { StateCheck } from "../drift/state-check.ts";
import type { StateDrift } from "../drift/state-drift.ts";
import { SaverError } from "../errors.ts";
import type { CompiledGraph, Guard } from "../langgraph.ts";
import { type AnySaver, isThreadkeepSaver, type ThreadkeepSaver } from "../saver-protocol.ts";
import { wrapSaver } from "../wrap-saver.ts";
import { LiveChannel } from "./live-channel.ts";
import { PolicyCache } from "./policy-cache.ts";
import { PolicySaver } from "./policy-saver.ts";
import type { StateScan } from "./state-scan.ts";
import { StoredValues } from "./stored-values.ts";

/** What one graph is hardened with. */
export interface Hardening {
  readonly policy: StatePolicy;
  readonly hosts: readonly ResourceHost[];
  readonly types: Types;
  readonly scan: StateScan | undefined;
  readonly drift: StateDrift;
  readonly check: StateCheck | undefined;
}

interface Adopted {
  readonly saver: ThreadkeepSaver;
  readonly stored: StoredValues;
  /** The view of the graph on its own, not inside of another. */
  root?: PolicySaver;
}

/** What stands at the doors of a hardened graph. */
export function createGuard(
  graph: CompiledGraph,
  hardening: Hardening,
  hardenCopy: <T extends object>(copy: T) => T,
): Guard {
  const { policy, hosts, types, scan, drift, check } = hardening;
  const known = new WeakMap<object, Adopted>();

  function adopt(saver: AnySaver): Adopted {
    const base = PolicySaver.is(saver) ? saver.saver : saver;
    const found = known.get(base);
    if (found !== undefined) return found;
    const own = isThreadkeepSaver(base) ? base : wrapSaver(base);
    if (!MsgpackSerializer.is(own.serde)) {
      throw new SaverError(
        "unsupported",
        "This saver was given a serializer that is not a MsgpackSerializer, so nothing says what it stores or revives; leave serde out, or pass one",
      );
    }
    const typed = own.withAllowlist(types);
    const adopted: Adopted = { saver: typed, stored: new StoredValues(typed.serde) };
    known.set(base, adopted);
    known.set(typed, adopted);
    return adopted;
  }

  return {
    saver(saver, ns) {
      const adopted = adopt(saver);
      const view = (): PolicySaver =>
        new PolicySaver(
          { saver: adopted.saver, policy, hosts, ns, scan, drift, check },
          adopted.stored,
        );
      return ns === "" ? (adopted.root ??= view()) : view();
    },
    cache(cache) {
      if (cache instanceof PolicyCache) return cache;
      return new PolicyCache(cache, policy, () => serializerOf(graph.checkpointer, types));
    },
    async enter(threadId) {
      if (threadId === undefined || hosts.length === 0)
        return { channels: {}, leave: () => undefined };
      const host = joinHosts(hosts);
      const objects = await host.ensure(threadId);
      host.retain(threadId);
      const channels = Object.entries(objects).flatMap(([key, object]) => {
        const channel = graph.channels[key];
        return LiveChannel.is(channel) ? [[key, channel.startingWith(object)] as const] : [];
      });
      return { channels: Object.fromEntries(channels), leave: () => host.release(threadId) };
    },
    copy: (copy) => hardenCopy(copy as object) as typeof copy,
  };
}

/** The cache speaks with the saver's types, or with the given ones where there is no saver. */
function serializerOf(saver: unknown, types: Types): MsgpackSerializer {
  const serde = PolicySaver.is(saver) ? saver.serde : undefined;
  if (MsgpackSerializer.is(serde)) return serde;
  return new MsgpackSerializer({ types });
}
