import type { BaseChannel } from "@langchain/langgraph/web";
import type { Types } from "@threadkeep/serde";
import { defaultOf, markOf, nestedMarkOf, withDerivedTypes } from "@threadkeep/serde/policy";
import { StateCheck } from "../drift/state-check.ts";
import { StateDrift, type StateVersion } from "../drift/state-drift.ts";
import { SaverError } from "../errors.ts";
import {
  type Agent,
  asAgent,
  type CompiledGraph,
  dataNames,
  graphOf,
  installOnAgent,
  installOnGraph,
  isAgentGraph,
  middlewareOf,
  privateNames,
  stateFields,
  subgraphsOf,
  TASKS,
  untrackedChannels,
} from "../langgraph.ts";
import { createGuard } from "./guard.ts";
import { Hardening, type Rules } from "./hardening.ts";
import { LiveChannel } from "./live-channel.ts";
import { resourceHosts } from "./resource-hosts.ts";
import { SendsChannel } from "./sends-channel.ts";
import { isScanMode, SCAN, type ScanMode, stricter } from "./state-scan.ts";

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

interface Hardened {
  readonly [HARDENED]?: Hardening;
}

/**
 * Harden a compiled graph or an agent, in place: untracked state never reaches storage, private
 * state stays in its channel, and only the given types are stored and revived. Returns the same
 * object with its own type.
 *
 * The saver may be given before or later; one that is not of this package is wrapped. Declared
 * subgraphs are hardened with it; a graph that is only called inside of a node has to be hardened
 * itself. Hardening again adds what the new options say, and nothing without options.
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
  const graph = graphOf(target) as CompiledGraph & Hardened;
  const hardening = graph[HARDENED] ?? new Hardening();
  const rules = readRules(target, graph, options);
  hardening.add(rules);
  harden(target, hardening);
  const { scan, check } = hardening;
  for (const child of subgraphsOf(graph)) {
    withAllowlist(child as CompiledGraph & object, {
      types: rules.types,
      ...(scan === undefined ? {} : { scan: scan.mode }),
      ...(check === undefined ? {} : { validate: true }),
    });
  }
  return target;
}

/** A copy shares the state fields of the graph that it was made of, and so its rules. */
function harden<T extends object>(target: T, hardening: Hardening): T {
  const graph = graphOf(target) as CompiledGraph & Hardened;
  const { policy } = hardening;
  const defaults = new Map(
    stateFields(target).flatMap(([name, field]) => {
      const make = defaultOf(field);
      return make === undefined ? [] : [[name, make] as const];
    }),
  );
  for (const name of policy.untracked) {
    const channel = graph.channels[name];
    if (channel === undefined || LiveChannel.is(channel)) continue;
    const live = policy.data.has(name) ? undefined : policy.live;
    graph.channels[name] = new LiveChannel(
      channel as BaseChannel<unknown, unknown, unknown>,
      live,
      defaults.get(name),
    );
  }
  const sends = graph.channels[TASKS];
  if (sends !== undefined && !SendsChannel.is(sends)) {
    const channel = sends as BaseChannel<unknown, unknown, unknown>;
    graph.channels[TASKS] = new SendsChannel(channel, policy);
  }
  const guard = createGuard(graph, hardening, (copy) => harden(copy, hardening));
  if (graph[HARDENED] === undefined) {
    installOnGraph(graph, guard);
    mark(graph, hardening);
  }
  const agent = asAgent(target) as (Agent & Hardened) | undefined;
  if (agent !== undefined && agent[HARDENED] === undefined) {
    installOnAgent(agent, guard);
    mark(agent, hardening);
  }
  return target;
}

function mark(target: object, hardening: Hardening): void {
  Object.defineProperty(target, HARDENED, { value: hardening, enumerable: false });
}

/** What the graph's schemas, channels and options say of its state. */
function readRules(target: object, graph: CompiledGraph, options: AllowlistOptions): Rules {
  const fields = stateFields(target);
  const marked = (as: "untracked" | "private"): string[] =>
    fields.filter(([, field]) => markOf(field) === as).map(([name]) => name);
  for (const [name, field] of fields) assertFlat(name, field);
  const hosts = resourceHosts(target, graph, options.resources ?? [], fields);
  const named = [...(options.untracked ?? []), ...(options.private ?? [])];
  const unknown = named.find((name) => !Object.hasOwn(graph.channels, name));
  if (unknown !== undefined) {
    throw new SaverError(
      "invalid_options",
      `The graph has no state field ${JSON.stringify(unknown)}`,
    );
  }
  return {
    untracked: [
      ...untrackedChannels(graph),
      ...marked("untracked"),
      ...hosts.flatMap(({ keys }) => keys),
      ...(options.untracked ?? []),
    ],
    private: [...marked("private"), ...privateNames(graph), ...(options.private ?? [])],
    data: dataNames(graph),
    hosts,
    types: withDerivedTypes(target, options.types),
    scan: readScan(target, graph, options),
    drift: readDrift(graph, options),
    check: options.validate === true ? new StateCheck(fields) : undefined,
    isAgent: isAgentGraph(graph),
  };
}

/** A mark further down would promise what nothing keeps. */
function assertFlat(name: string, field: unknown): void {
  const path = nestedMarkOf(field);
  if (path === undefined) return;
  throw new SaverError(
    "unsupported",
    `untracked() and privateState() mark whole fields of the state, but ${name}${path} lies inside of one; make it a state field of its own`,
  );
}

function readDrift(
  { channels, nodes = {} }: CompiledGraph,
  { state }: AllowlistOptions,
): StateDrift | undefined {
  if (state === undefined) return undefined;
  const delta = Object.entries(channels).find(
    ([, channel]) => (channel as { lc_graph_name?: unknown }).lc_graph_name === "DeltaChannel",
  );
  if (delta !== undefined) {
    throw new SaverError(
      "unsupported",
      `The state field ${delta[0]} is kept as changes in many checkpoints (DeltaChannel), which a state's migration does not reach`,
    );
  }
  // Older versions of LangGraph keep something under a node's name, which is no state.
  return new StateDrift(state, new Set([...Object.keys(channels), ...Object.keys(nodes)]));
}

/** The scan that the options or a middleware ask for. */
function readScan(target: object, graph: CompiledGraph, options: AllowlistOptions): ScanMode {
  const asked = middlewareOf(target, graph).map(
    (each) => (each as { [SCAN]?: ScanMode } | undefined)?.[SCAN] ?? "off",
  );
  const modes = options.scan === undefined ? asked : [options.scan];
  if (!modes.every(isScanMode))
    throw new SaverError("invalid_options", 'scan must be "off", "warn" or "throw"');
  return modes.reduce<ScanMode>(stricter, "off");
}
