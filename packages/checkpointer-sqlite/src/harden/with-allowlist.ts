import type { Types } from "@threadkeep/serde";
import {
  LiveObjects,
  markOf,
  type ResourceHost,
  resourceHostOf,
  type StatePolicy,
} from "@threadkeep/serde/policy";
import type { BaseChannel } from "@langchain/langgraph/web";
import {
  type CompiledGraph,
  graphOf,
  type Guard,
  install,
  isAgent,
  stateFields,
  subgraphsOf,
  untrackedChannels,
} from "../langgraph.ts";
import { type AnySaver, isThreadkeepSaver } from "../saver-protocol.ts";
import { wrapSaver } from "../wrap-saver.ts";
import { LiveChannel } from "./live-channel.ts";
import { PolicySaver } from "./policy-saver.ts";

/** Options of {@link withAllowlist}. */
export interface AllowlistOptions {
  /** Classes that the graph's state may hold. @defaultValue those that the saver's serializer knows */
  readonly types?: Types;
}

const HARDENED = Symbol.for("threadkeep.hardened");

/**
 * Harden a compiled graph or an agent, in place: untracked state never reaches storage, and only
 * the given types are stored and revived. Returns the same object with its own type.
 *
 * The saver may be given before or later; one that is not of this package is wrapped. Declared
 * subgraphs are hardened with it. Hardening twice changes nothing.
 *
 * @throws {@link SaverError} `unsupported` for anything that can't be hardened
 *
 * @example
 * ```ts
 * const graph = withAllowlist(builder.compile({ checkpointer: SqliteSaver.fromConnString("agent.db") }), {
 *   types: { Money },
 * });
 * ```
 */
export function withAllowlist<T extends object>(target: T, options: AllowlistOptions = {}): T {
  const graph = graphOf(target) as CompiledGraph & { [HARDENED]?: true };
  if (graph[HARDENED]) return target;
  Object.defineProperty(graph, HARDENED, { value: true, enumerable: false });
  const policy = readPolicy(target);
  const hosts = readHosts(target);
  for (const name of policy.untracked) {
    const channel = graph.channels[name];
    if (channel !== undefined)
      graph.channels[name] = new LiveChannel(
        channel as BaseChannel<unknown, unknown, unknown>,
        policy.live,
      );
  }
  install(target, createGuard(policy, hosts, options));
  for (const child of subgraphsOf(graph)) withAllowlist(child, options);
  return target;
}

function createGuard(
  policy: StatePolicy,
  hosts: readonly ResourceHost[],
  options: AllowlistOptions,
): Guard {
  const views = new WeakMap<object, PolicySaver>();
  return {
    saver(saver) {
      const base = saver instanceof PolicySaver ? saver.saver : saver;
      const known = views.get(base);
      if (known !== undefined) return known;
      const own = adopt(base);
      const view = new PolicySaver(
        options.types === undefined ? own : own.withAllowlist(options.types),
        policy,
        hosts,
      );
      views.set(base, view);
      views.set(view.saver, view);
      return view;
    },
    async enter(input, threadId) {
      if (threadId === undefined || hosts.length === 0) return input;
      const live = await Promise.all(hosts.map((host) => host.ensure(threadId)));
      // A thread without a checkpoint has nowhere else to take them from.
      return isPlainRecord(input) ? (Object.assign({}, ...live, input) as unknown) : input;
    },
    copy: (copy) => withAllowlist(copy as object, options) as typeof copy,
  };
}

function adopt(saver: AnySaver) {
  return isThreadkeepSaver(saver) ? saver : wrapSaver(saver);
}

/** What the graph's schemas and channels say of its state. */
function readPolicy(target: object): StatePolicy {
  const marked = stateFields(target)
    .filter(([, schema]) => markOf(schema) === "untracked")
    .map(([name]) => name);
  const hostKeys = readHosts(target).flatMap((host) => host.keys);
  return {
    untracked: new Set([...untrackedChannels(graphOf(target)), ...marked, ...hostKeys]),
    live: new LiveObjects(),
  };
}

function readHosts(target: object): ResourceHost[] {
  if (!isAgent(target)) return [];
  return (target.options.middleware ?? []).map(resourceHostOf).filter((host) => host !== undefined);
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
