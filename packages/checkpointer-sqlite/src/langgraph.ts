/**
 * Everything in this package that leans on how LangGraph and LangChain are built inside.
 *
 * A graph whose members are not the expected ones is refused: a hole here would be a leak.
 */
import type { BaseCache } from "@langchain/langgraph-checkpoint";
import { SaverError } from "./errors.ts";
import type { AnySaver } from "./saver-protocol.ts";

/** LangGraph.js versions that this package is tested with. */
const TESTED = "@langchain/langgraph 1.3 to 1.7";

/** Under this key a parent graph lends its saver to the graphs that it runs. */
const LENT_SAVER = "__pregel_checkpointer";

/** `true` and `false` say how a graph inside of another uses the saver of its parent. */
export type GraphSaver = AnySaver | boolean | undefined;

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
  readonly builder?: Readonly<Record<string, unknown>>;
  readonly config?: Config;
  getSubgraphs(namespace?: string, recurse?: boolean): Iterable<[string, CompiledGraph]>;
}

interface Agent {
  readonly graph: CompiledGraph;
  readonly options: {
    readonly stateSchema?: unknown;
    readonly middleware?: readonly { readonly stateSchema?: unknown }[];
  };
  checkpointer?: GraphSaver;
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
  const candidate = isAgent(target) ? target.graph : target;
  if (!isObject(candidate) || candidate.lg_is_pregel !== true) {
    throw new SaverError(
      "unsupported",
      "withAllowlist takes a compiled graph (StateGraph.compile(), entrypoint()) or an agent of createAgent()",
    );
  }
  const methods = [...Object.keys(CONFIGURED), "withConfig", "getSubgraphs"];
  const missing = methods.filter((name) => typeof candidate[name] !== "function");
  if (!isObject(candidate.channels)) missing.push("channels");
  if (missing.length > 0) {
    throw new SaverError(
      "unsupported",
      `This version of LangGraph is built in a way that is not known here (no ${missing.join(", ")}); known to work: ${TESTED}`,
    );
  }
  return candidate as unknown as CompiledGraph;
}

export function isAgent(target: unknown): target is Agent {
  return isObject(target) && isObject(target.options) && isObject(target.graph);
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
  const options = isAgent(target) ? target.options : {};
  const schemas = [
    ...declared.map((name) => builder?.[name]),
    options.stateSchema,
    ...(options.middleware ?? []).map((middleware) => middleware.stateSchema),
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
export function privateNames(target: unknown): string[] {
  return isAgent(target)
    ? Object.keys(target.graph.channels).filter((name) => /^_(?!_)/.test(name))
    : [];
}

/**
 * Whether a namespace is that of a graph which runs inside of a node of the graph in namespace
 * `own`. LangGraph adds a segment per level, and bare numbers for repeated calls within one.
 */
export function isNestedBelow(ns: string, own: string): boolean {
  return levels(ns) > levels(own);
}

function levels(ns: string): number {
  return ns.split("|").filter((segment) => segment !== "" && !/^\d+$/.test(segment)).length;
}

/** A run that may start. */
export interface Entered {
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
  /** Called before a run starts. */
  enter(threadId: string | undefined): Promise<Entered>;
  /** Harden a copy that the graph or agent made of itself. */
  copy<T>(copy: T): T;
}

/** Route every way in which a saver or cache reaches the graph through the guard. */
export function install(target: unknown, guard: Guard): void {
  const graph = graphOf(target);
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
          args[position] = withGuardedConfig(args[position] as Config | undefined, guard);
          return name === "_streamIterator"
            ? run(this as CompiledGraph, method, guard, args)
            : method.apply(this, args);
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
  if (!isAgent(target)) return;
  // An agent makes its copies anew from its options, which hold the saver that it was given.
  replace(
    target,
    "withConfig",
    (method) =>
      function (this: unknown, ...args) {
        const copy = method.apply(this, args) as Agent;
        copy.checkpointer = graph.checkpointer;
        return guard.copy(copy);
      },
  );
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
