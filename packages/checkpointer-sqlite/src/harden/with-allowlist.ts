import type { BaseChannel } from "@langchain/langgraph/web";
import type { Types } from "@threadkeep/serde";
import {
  LiveObjects,
  markOf,
  type ResourceHost,
  resourceHostOf,
  type StatePolicy,
  withDerivedTypes,
} from "@threadkeep/serde/policy";
import { StateCheck } from "../drift/state-check.ts";
import { StateDrift, type StateVersion } from "../drift/state-drift.ts";
import { SaverError } from "../errors.ts";
import {
  type CompiledGraph,
  graphOf,
  install,
  isAgent,
  privateNames,
  stateFields,
  subgraphsOf,
  untrackedChannels,
} from "../langgraph.ts";
import { createGuard, type Hardening } from "./guard.ts";
import { LiveChannel } from "./live-channel.ts";
import { isScanMode, SCAN, type ScanMode, StateScan, stricter } from "./state-scan.ts";

/** Options of {@link withAllowlist}. */
export interface AllowlistOptions {
  /**
   * Classes that the graph's state may hold, besides those that the saver's serializer knows and
   * those that the graph's schemas name and that describe themselves under `TYPE`.
   * @defaultValue none
   */
  readonly types?: Types;
  /** State fields that are never stored, besides those that are marked so. @defaultValue none */
  readonly untracked?: readonly string[];
  /** State fields that no stored `Send` carries, besides those that are marked so. @defaultValue none */
  readonly private?: readonly string[];
  /** Live objects of a thread that nodes find in the state, for graphs without the middleware. @defaultValue none */
  readonly resources?: readonly object[];
  /**
   * Look at what each node wrote for values that can't be stored, and warn once for each place, or
   * fail the step that made them. It costs about what storing them costs, a second time.
   * @defaultValue the strictest that a middleware asks for, else `"off"`
   */
  readonly scan?: ScanMode;
  /**
   * The version of the graph's own state, and the steps from older ones: checkpoints, pending writes
   * and waiting Sends of an older version become the present one when they are loaded.
   * @defaultValue version 1
   */
  readonly state?: StateVersion;
  /** Check each loaded field by its schema. @defaultValue false */
  readonly validate?: boolean;
}

const HARDENED = Symbol.for("threadkeep.hardened");

/**
 * Harden a compiled graph or an agent, in place: untracked state never reaches storage, private
 * state stays in its channel, and only the given types are stored and revived. Returns the same
 * object with its own type.
 *
 * The saver may be given before or later; one that is not of this package is wrapped. Declared
 * subgraphs are hardened with it. Hardening twice changes nothing.
 *
 * @throws {@link SaverError} `unsupported` for anything that can't be hardened; `invalid_options`
 *
 * @example
 * ```ts
 * const graph = withAllowlist(builder.compile({ checkpointer: SqliteSaver.fromConnString("agent.db") }), {
 *   types: { Money },
 * });
 * ```
 */
export function withAllowlist<T extends object>(target: T, options: AllowlistOptions = {}): T {
  const hosts = readHosts(target, options);
  return harden(target, {
    policy: readPolicy(target, hosts, options),
    hosts,
    types: withDerivedTypes(target, options.types),
    scan: readScan(target, options),
    drift: readDrift(target, options),
    check: options.validate === true ? new StateCheck(stateFields(target)) : undefined,
  });
}

function harden<T extends object>(target: T, hardening: Hardening): T {
  const graph = graphOf(target) as CompiledGraph & { [HARDENED]?: true };
  if (graph[HARDENED]) return target;
  const { policy } = hardening;
  for (const name of policy.untracked) {
    const channel = graph.channels[name];
    if (channel === undefined || LiveChannel.is(channel)) continue;
    graph.channels[name] = new LiveChannel(
      channel as BaseChannel<unknown, unknown, unknown>,
      policy.live,
    );
  }
  // A copy shares the state fields of the graph that it was made of, and so its policy.
  install(
    target,
    createGuard(graph, hardening, (copy) => harden(copy, hardening)),
  );
  Object.defineProperty(graph, HARDENED, { value: true, enumerable: false });
  const { types, scan, check } = hardening;
  for (const child of subgraphsOf(graph)) {
    withAllowlist(child as CompiledGraph & object, {
      types,
      ...(scan === undefined ? {} : { scan: scan.mode }),
      ...(check === undefined ? {} : { validate: true }),
    });
  }
  return target;
}

/** What the graph's schemas, channels and options say of its state. */
function readPolicy(
  target: object,
  hosts: readonly ResourceHost[],
  options: AllowlistOptions,
): StatePolicy {
  const graph = graphOf(target);
  const marked = (mark: "untracked" | "private"): string[] =>
    stateFields(target)
      .filter(([, field]) => markOf(field) === mark)
      .map(([name]) => name);
  const untracked = [
    ...untrackedChannels(graph),
    ...marked("untracked"),
    ...hosts.flatMap(({ keys }) => keys),
    ...(options.untracked ?? []),
  ];
  const secret = [...marked("private"), ...privateNames(target), ...(options.private ?? [])];
  for (const name of [...(options.untracked ?? []), ...(options.private ?? [])]) {
    if (typeof name !== "string" || graph.channels[name] === undefined) {
      throw new SaverError(
        "invalid_options",
        `The graph has no state field ${JSON.stringify(name)}`,
      );
    }
  }
  return {
    untracked: new Set(untracked),
    private: new Set(secret.filter((name) => !untracked.includes(name))),
    live: new LiveObjects(),
  };
}

function readHosts(target: object, options: AllowlistOptions): ResourceHost[] {
  const offered = isAgent(target) ? (target.options.middleware ?? []).map(resourceHostOf) : [];
  const given = (options.resources ?? []).map((resource) => {
    const host = resourceHostOf(resource);
    if (host === undefined)
      throw new SaverError(
        "invalid_options",
        "resources takes what resource() of @threadkeep/middleware gives",
      );
    return host;
  });
  return [...offered, ...given].filter((host) => host !== undefined);
}

function readDrift(target: object, { state }: AllowlistOptions): StateDrift {
  const delta = Object.entries(graphOf(target).channels).find(
    ([, channel]) => (channel as { lc_graph_name?: unknown }).lc_graph_name === "DeltaChannel",
  );
  if (state !== undefined && delta !== undefined) {
    throw new SaverError(
      "unsupported",
      `The state field ${delta[0]} is kept as changes in many checkpoints (DeltaChannel), which a state's migration does not reach`,
    );
  }
  return new StateDrift(state);
}

/** The scan that the options or a middleware ask for; undefined when none is wanted. */
function readScan(target: object, options: AllowlistOptions): StateScan | undefined {
  const middleware = isAgent(target) ? (target.options.middleware ?? []) : [];
  const asked = middleware.map((each) => (each as { [SCAN]?: ScanMode })[SCAN] ?? "off");
  const modes = options.scan === undefined ? asked : [options.scan];
  if (!modes.every(isScanMode))
    throw new SaverError("invalid_options", 'scan must be "off", "warn" or "throw"');
  const mode = modes.reduce<ScanMode>(stricter, "off");
  return mode === "off" ? undefined : new StateScan(mode, isAgent(target));
}
