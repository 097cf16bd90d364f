import type { BaseChannel } from "@langchain/langgraph/web";
import { defaultOf } from "@threadkeep/serde/policy";
import {
  type Agent,
  asAgent,
  type CompiledGraph,
  graphOf,
  installOnAgent,
  installOnGraph,
  stateFields,
  subgraphsOf,
  TASKS,
} from "../langgraph.ts";
import { type AllowlistOptions, checkAllowlistOptions } from "./allowlist-options.ts";
import { createGuard } from "./guard.ts";
import { Hardening, type Rules } from "./hardening.ts";
import { LiveChannel } from "./live-channel.ts";
import { readRules } from "./read-rules.ts";
import { SendsChannel } from "./sends-channel.ts";
import { stricter } from "./state-scan.ts";
import { assertTypesFit } from "./typed-saver.ts";

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
  checkAllowlistOptions(options);
  // All of it is looked at first, so that what is refused is left as it was.
  for (const { graph, rules } of plan(target, options)) {
    const hardening = (graphOf(graph) as Hardened)[HARDENED] ?? new Hardening();
    hardening.add(rules);
    harden(graph, hardening);
  }
  return target;
}

interface Planned {
  readonly graph: object;
  readonly rules: Rules;
}

/** A graph with its subgraphs, and what to add to the hardening of each. */
function plan(target: object, options: AllowlistOptions): Planned[] {
  const graph = graphOf(target) as CompiledGraph & Hardened;
  const known = graph[HARDENED];
  const rules = readRules(target, graph, options);
  assertTypesFit(graph.checkpointer, [...(known?.types ?? []), rules.types]);
  const scan = stricter(known?.scan?.mode ?? "off", rules.scan);
  const below = {
    types: rules.types,
    ...(scan === "off" ? {} : { scan }),
    ...((rules.check ?? known?.check) === undefined ? {} : { validate: true }),
  };
  return [
    { graph: target, rules },
    ...subgraphsOf(graph).flatMap((child) => plan(child as CompiledGraph & object, below)),
  ];
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
