/**
 * Everything in this package that leans on how LangGraph and LangChain are built inside.
 *
 * A graph whose members are not the expected ones is refused: a hole here would be a leak.
 */
import { getConfig } from "@langchain/langgraph/web";
import { type BaseCache, TASKS } from "@langchain/langgraph-checkpoint";
import { SaverError } from "./errors.ts";
import type { AnySaver } from "./saver-protocol.ts";

/** LangGraph's channel for Sends. */
export { TASKS };

/** Versions that this package is tested with. */
const TESTED = "@langchain/langgraph 1.4 to 1.7, langchain 1.3 to 1.5";

/** Under this key a parent graph lends its saver to the graphs that it runs. */
const LENT_SAVER = "__pregel_checkpointer";
/** A config that has this key is that of a running task. */
const READ = "__pregel_read";

/** `true` and `false` say how a graph inside of another uses the saver of its parent. */
type GraphSaver = AnySaver | boolean | undefined;

interface Config {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly cache?: unknown;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The members of a compiled graph that are read or replaced here. */
export interface CompiledGraph {
  checkpointer?: GraphSaver;
  cache?: BaseCache | undefined;
  readonly channels: Record<string, unknown>;
  readonly nodes?: Readonly<Record<string, { readonly bound?: unknown }>>;
  readonly builder?: Readonly<Record<string, unknown>>;
  readonly config?: Config;
  getSubgraphs(namespace?: string, recurse?: boolean): Iterable<[string, CompiledGraph]>;
}

/** The members of an agent that are read or replaced here. */
export interface Agent {
  readonly graph: CompiledGraph;
  readonly options: {
    readonly stateSchema?: unknown;
    readonly middleware?: readonly Middleware[];
  };
  checkpointer?: GraphSaver;
}

interface Middleware {
  readonly stateSchema?: unknown;
}

/** Methods whose config may lend another saver, and the position of the config. */
const CONFIGURED = {
  _streamIterator: 1,
  getState: 0,
  getStateHistory: 0,
  bulkUpdateState: 0,
} as const;

/** The compiled graph of a graph or agent. */
export function graphOf(target: unknown): CompiledGraph {
  const candidate: unknown = asAgent(target)?.graph ?? target;
  if (!isObject(candidate) || candidate.lg_is_pregel !== true) {
    throw new SaverError(
      "unsupported",
      "withAllowlist takes a compiled graph (StateGraph.compile(), entrypoint()) or an agent of createAgent()",
    );
  }
  if (typeof candidate.graphId === "string") {
    throw new SaverError(
      "unsupported",
      "A remote graph keeps its state on its server; harden the graph that runs there",
    );
  }
  const methods = [...Object.keys(CONFIGURED), "withConfig", "getSubgraphs"];
  assertShape(
    candidate,
    methods.filter((name) => typeof candidate[name] !== "function"),
    ["channels", "nodes"].filter((name) => !isObject(candidate[name])),
    // What stands under a name on the graph itself can be replaced there, a private field could not.
    ["checkpointer"].filter((name) => !(name in candidate)),
  );
  return candidate as unknown as CompiledGraph;
}

/** The agent of `createAgent` that this is, or undefined. */
export function asAgent(target: unknown): Agent | undefined {
  if (!isObject(target) || !isObject(target.options) || !isObject(target.graph)) return undefined;
  assertShape(
    target,
    ["withConfig"].filter((name) => typeof target[name] !== "function"),
    ["checkpointer"].filter((name) => !(name in target)),
  );
  return target as unknown as Agent;
}

function assertShape(target: object, ...missing: readonly (readonly string[])[]): void {
  const names = missing.flat();
  if (names.length === 0) return;
  throw new SaverError(
    "unsupported",
    `${target.constructor?.name ?? "This object"} is built in a way that is not known here (no ${names.join(", ")}); known to work: ${TESTED}`,
  );
}

/** Graphs that are declared as nodes, at any depth. */
export function subgraphsOf(graph: CompiledGraph): CompiledGraph[] {
  return [...graph.getSubgraphs(undefined, true)].map(([, child]) => child);
}

/** Every state field of a graph or agent by name, with the schema or channel that it was declared by. */
export function stateFields(target: unknown): [name: string, field: unknown][] {
  const { builder, channels } = graphOf(target);
  const declared = [
    "_schemaRuntimeDefinition",
    "_inputRuntimeDefinition",
    "_outputRuntimeDefinition",
  ];
  const options = asAgent(target)?.options;
  const schemas = [
    ...declared.map((name) => builder?.[name]),
    options?.stateSchema,
    ...(options?.middleware ?? []).map((middleware) => middleware.stateSchema),
    channels,
  ];
  return schemas.flatMap((schema) => Object.entries(fieldsOf(schema)));
}

/** The fields of a `StateSchema`, a Zod object (4 or 3), an `Annotation.Root`, or a record of channels. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const found = [schema.fields, schema.shape, schema.spec].find(isObject);
  return found ?? schema;
}

/** Names of channels that LangGraph itself never stores. */
export function untrackedChannels({ channels }: CompiledGraph): string[] {
  const isUntracked = (channel: unknown): boolean =>
    isObject(channel) && channel.lc_graph_name === "UntrackedValue";
  return Object.keys(channels).filter((name) => isUntracked(channels[name]));
}

/** `createAgent` takes names that start with `_` for a middleware's own. */
export function privateNames(graph: CompiledGraph): string[] {
  return isAgentGraph(graph)
    ? Object.keys(graph.channels).filter((name) => /^_(?!_)/.test(name))
    : [];
}

/** An agent's own untracked fields: what they hold may be a part of its messages. */
export function dataNames(graph: CompiledGraph): string[] {
  return isAgentGraph(graph) ? ["jumpTo", "structuredResponse"] : [];
}

/** An agent's middleware; of its graph alone those that have hooks. */
export function middlewareOf(target: unknown, graph: CompiledGraph): readonly unknown[] {
  const agent = asAgent(target);
  if (agent !== undefined) return agent.options.middleware ?? [];
  if (!isAgentGraph(graph)) return [];
  const nodes = Object.values(graph.nodes ?? {});
  return [...new Set(nodes.map(({ bound }) => (isObject(bound) ? bound.middleware : undefined)))];
}

/** Whether `createAgent` built the graph. */
export function isAgentGraph({ nodes, channels }: CompiledGraph): boolean {
  return isObject(nodes?.model_request) && isObject(channels.jumpTo);
}

/**
 * Whether a namespace is that of a graph which runs inside of a node of the graph in namespace
 * `own`. LangGraph adds a segment per level, and bare numbers for repeated calls within one.
 */
export function isNestedBelow(ns: string, own: string): boolean {
  return ns !== own && levels(ns) > levels(own);
}

function levels(ns: string): number {
  if (ns === "") return 0;
  return ns.split("|").filter((segment) => segment !== "" && !/^\d+$/.test(segment)).length;
}

/** A run that may start. */
interface Entered {
  /** The channels that it starts with, where they are other than the graph's. */
  readonly channels: Readonly<Record<string, unknown>>;
  /** To be called when it has ended. */
  leave(): void;
}

/** What a hardened graph does at each of its doors. */
export interface Guard {
  /** The saver to use in place of this one, by the graph in this namespace. */
  saver(saver: AnySaver, ns: string): AnySaver;
  cache(cache: BaseCache): BaseCache;
  /** Whether runs need to be entered. */
  hasResources(): boolean;
  /** Called before a run starts. */
  enter(threadId: string | undefined): Promise<Entered>;
  /** Harden a copy that the graph or agent made of itself. */
  copy<T>(copy: T): T;
}

/** Route every way in which a saver or cache reaches the graph through the guard. */
export function installOnGraph(graph: CompiledGraph, guard: Guard): void {
  guardField(graph, "checkpointer", (saver) => guardedSaver(saver as GraphSaver, guard, ""));
  guardField(graph, "cache", (cache) =>
    isObject(cache) ? guard.cache(cache as unknown as BaseCache) : cache,
  );
  for (const [name, position] of Object.entries(CONFIGURED)) {
    replace(
      graph,
      name,
      (method) =>
        function (this: unknown, ...args) {
          const config = args[position] as Config | undefined;
          if (name !== "_streamIterator") {
            args[position] = withGuardedConfig(config, guard);
            return method.apply(this, args);
          }
          args[position] = withGuardedConfig(configOfRun(graph, config), guard);
          if (!guard.hasResources()) return method.apply(this, args);
          return run(this as CompiledGraph, method, guard, args);
        },
    );
  }
  replace(
    graph,
    "withConfig",
    (method) =>
      function (this: unknown, ...args) {
        return guard.copy(method.apply(this, args));
      },
  );
}

/** An agent makes its copies anew from its options, which hold the saver that it was given. */
export function installOnAgent(agent: Agent, guard: Guard): void {
  replace(
    agent,
    "withConfig",
    (method) =>
      function (this: unknown, ...args) {
        const copy = method.apply(this, args) as Agent;
        copy.checkpointer = agent.graph.checkpointer;
        return guard.copy(copy);
      },
  );
}

/**
 * The config of a run with what it gets from the task around it: LangGraph adds that later, past
 * the guard. A graph that runs inside of a task of a graph without a saver uses its own; it is lent
 * to itself here, so that the guard can tell in which namespace it is.
 */
function configOfRun(graph: CompiledGraph, config: Config | undefined): Config | undefined {
  const ambient = getConfig() as Config | undefined;
  const bound = graph.config?.configurable?.[LENT_SAVER];
  const isNested = [config, ambient].some((each) => each?.configurable?.[READ] !== undefined);
  if (!isNested && bound === undefined) return config;
  const configurable = {
    ...(isNested ? ambient?.configurable : {}),
    ...(bound === undefined ? {} : { [LENT_SAVER]: bound }),
    ...config?.configurable,
  };
  const own = graph.checkpointer;
  const cache = config?.cache ?? ambient?.cache;
  return {
    ...config,
    ...(cache === undefined ? {} : { cache }),
    configurable:
      configurable[LENT_SAVER] === undefined && isObject(own)
        ? { ...configurable, [LENT_SAVER]: own }
        : configurable,
  };
}

async function* run(
  graph: CompiledGraph,
  method: Method,
  guard: Guard,
  args: unknown[],
): AsyncGenerator<unknown> {
  const options = args[1] as Config | undefined;
  const { thread_id: threadId } = { ...graph.config?.configurable, ...options?.configurable };
  const { channels, leave } = await guard.enter(
    typeof threadId === "string" ? threadId : undefined,
  );
  try {
    // The run reads the graph's channels by their name on the graph: it is given ones of its own.
    const own = { channels: { value: { ...graph.channels, ...channels } } };
    const scope =
      Object.keys(channels).length === 0 ? graph : (Object.create(graph, own) as CompiledGraph);
    yield* method.apply(scope, args) as AsyncGenerator<unknown>;
  } finally {
    leave();
  }
}

function guardedSaver(saver: GraphSaver, guard: Guard, ns: string): GraphSaver {
  return isObject(saver) ? guard.saver(saver as unknown as AnySaver, ns) : saver;
}

function withGuardedConfig(config: Config | undefined, guard: Guard): Config | undefined {
  const lent = config?.configurable?.[LENT_SAVER];
  const cache = config?.cache;
  if (!isObject(lent) && !isObject(cache)) return config;
  const ns = config?.configurable?.checkpoint_ns;
  return {
    ...config,
    ...(isObject(cache) ? { cache: guard.cache(cache as unknown as BaseCache) } : {}),
    configurable: {
      ...config?.configurable,
      ...(isObject(lent)
        ? {
            [LENT_SAVER]: guard.saver(
              lent as unknown as AnySaver,
              typeof ns === "string" ? ns : "",
            ),
          }
        : {}),
    },
  };
}

function guardField(
  graph: CompiledGraph,
  name: "checkpointer" | "cache",
  guarded: (value: unknown) => unknown,
): void {
  let current = guarded(graph[name]);
  Object.defineProperty(graph, name, {
    enumerable: true,
    configurable: true,
    get: () => current,
    set(value: unknown) {
      current = guarded(value);
    },
  });
}

function replace(object: object, name: string, make: (method: Method) => Method): void {
  const method = (object as Record<string, unknown>)[name] as Method;
  Object.defineProperty(object, name, { value: make(method), configurable: true, writable: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
