import { markOf, nestedMarkOf, withDerivedTypes } from "@threadkeep/serde/policy";
import { StateCheck } from "../drift/state-check.ts";
import { StateDrift } from "../drift/state-drift.ts";
import { suggest } from "../check-options.ts";
import { SaverError } from "../errors.ts";
import {
  type CompiledGraph,
  dataNames,
  isAgentGraph,
  middlewareOf,
  privateNames,
  stateFields,
  untrackedChannels,
} from "../langgraph.ts";
import type { AllowlistOptions } from "./allowlist-options.ts";
import type { Rules } from "./hardening.ts";
import { resourceHosts } from "./resource-hosts.ts";
import { isScanMode, SCAN, type ScanMode, stricter } from "./state-scan.ts";
import { aboutTypes } from "./typed-saver.ts";

/**
 * What the graph's schemas, channels and options say of its state.
 *
 * @throws {@link SaverError} `invalid_options`, `unsupported`
 */
export function readRules(target: object, graph: CompiledGraph, options: AllowlistOptions): Rules {
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
      `The graph has no state field ${JSON.stringify(unknown)}${suggest(unknown, Object.keys(graph.channels))}`,
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
    types: aboutTypes(() => withDerivedTypes(target, options.types)),
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
