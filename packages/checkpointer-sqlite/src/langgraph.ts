/**
 * Everything in this package that leans on how LangGraph and LangChain are built inside.
 *
 * A graph whose members are not the expected ones is refused: a hole here would be a leak.
 */
import { SaverError } from "./errors.ts";
import type { AnySaver } from "./saver-protocol.ts";

/** LangGraph.js versions that this package was tested with. */
const TESTED = "@langchain/langgraph 1.7";

/** Under this key a parent graph lends its saver to the graphs it runs. */
const LENT_SAVER = "__pregel_checkpointer";

/** `true` and `false` say how a graph inside of another uses the saver of its parent. */
export type GraphSaver = AnySaver | boolean | undefined;

interface Config {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The members of a compiled graph that are read or replaced here. */
export interface CompiledGraph {
  checkpointer?: GraphSaver;
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
  withConfig(config: unknown): Agent;
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
  if (
    typeof candidate !== "object" ||
    candidate === null ||
    (candidate as { lg_is_pregel?: unknown }).lg_is_pregel !== true
  ) {
    throw new SaverError(
      "unsupported",
      "withAllowlist takes a compiled graph (StateGraph.compile(), entrypoint()) or an agent of createAgent()",
    );
  }
  const graph = candidate as CompiledGraph & Record<string, unknown>;
  const missing = [...Object.keys(CONFIGURED), "withConfig", "getSubgraphs"].filter(
    (name) => typeof graph[name] !== "function",
  );
  if (typeof graph.channels !== "object" || graph.channels === null) missing.push("channels");
  if (missing.length > 0) {
    throw new SaverError(
      "unsupported",
      `This version of LangGraph is built in a way that is not known here (no ${missing.join(", ")}); known to work: ${TESTED}`,
    );
  }
  return graph;
}

export function isAgent(target: unknown): target is Agent {
  if (typeof target !== "object" || target === null) return false;
  const { graph, options } = target as Partial<Agent>;
  return (
    typeof options === "object" && options !== null && typeof graph === "object" && graph !== null
  );
}

/** Graphs that are declared as nodes, at any depth. */
export function subgraphsOf(graph: CompiledGraph): CompiledGraph[] {
  return [...graph.getSubgraphs(undefined, true)].map(([, child]) => child);
}

/** Every state field of a graph or agent by name, with the schema that it was declared by. */
export function stateFields(target: unknown): [name: string, schema: unknown][] {
  const { builder } = graphOf(target);
  const schemas = [
    ...[
      "_schemaRuntimeDefinition",
      "_inputRuntimeDefinition",
      "_outputRuntimeDefinition",
      "_schemaDefinition",
    ].map((name) => builder?.[name]),
    ...(isAgent(target)
      ? [
          target.options.stateSchema,
          ...(target.options.middleware ?? []).map((middleware) => middleware.stateSchema),
        ]
      : []),
  ];
  return schemas.flatMap((schema) => Object.entries(fieldsOf(schema)));
}

/** The fields of a `StateSchema`, a Zod object, or an annotation. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  if (typeof schema !== "object" || schema === null) return {};
  const { fields, shape } = schema as { fields?: unknown; shape?: unknown };
  const found = [fields, shape, schema].find(
    (candidate) => typeof candidate === "object" && candidate !== null,
  );
  return found as Record<string, unknown>;
}

/** Names of channels that LangGraph itself never stores. */
export function untrackedChannels(graph: CompiledGraph): string[] {
  return Object.entries(graph.channels)
    .filter(
      ([, channel]) =>
        (channel as { lc_graph_name?: unknown } | null)?.lc_graph_name === "UntrackedValue",
    )
    .map(([name]) => name);
}

/** What a hardened graph does at each of its doors. */
export interface Guard {
  /** The saver to use in place of this one. */
  saver(saver: AnySaver): AnySaver;
  /** Called before a run starts; gives the input to start with. */
  enter(input: unknown, threadId: string | undefined): Promise<unknown>;
  /** Harden a copy that the graph or agent made of itself. */
  copy<T>(copy: T): T;
}

/** Route every way in which a saver reaches the graph through the guard. */
export function install(target: unknown, guard: Guard): void {
  const graph = graphOf(target);
  let current = guarded(graph.checkpointer, guard);
  Object.defineProperty(graph, "checkpointer", {
    enumerable: true,
    configurable: true,
    get: () => current,
    set(saver: GraphSaver) {
      current = guarded(saver, guard);
    },
  });
  for (const [name, position] of Object.entries(CONFIGURED)) {
    replace(
      graph,
      name,
      (method) =>
        function (this: unknown, ...args) {
          args[position] = withGuardedLoan(args[position] as Config | undefined, guard);
          return name === "_streamIterator"
            ? run.call(this, method, guard, args)
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
        copy.checkpointer = current;
        return guard.copy(copy);
      },
  );
}

async function* run(
  this: unknown,
  method: Method,
  guard: Guard,
  [input, options, ...rest]: unknown[],
): AsyncGenerator<unknown> {
  const own = (this as CompiledGraph).config?.configurable;
  const threadId = { ...own, ...(options as Config | undefined)?.configurable }.thread_id;
  const entered = await guard.enter(input, typeof threadId === "string" ? threadId : undefined);
  yield* method.call(this, entered, options, ...rest) as AsyncGenerator<unknown>;
}

function guarded(saver: GraphSaver, guard: Guard): GraphSaver {
  return typeof saver === "object" && saver !== null ? guard.saver(saver) : saver;
}

function withGuardedLoan(config: Config | undefined, guard: Guard): Config | undefined {
  const lent = config?.configurable?.[LENT_SAVER];
  if (typeof lent !== "object" || lent === null) return config;
  return {
    ...config,
    configurable: { ...config?.configurable, [LENT_SAVER]: guard.saver(lent as AnySaver) },
  };
}

function replace(object: object, name: string, make: (method: Method) => Method): void {
  const method = (object as Record<string, unknown>)[name] as Method;
  Object.defineProperty(object, name, { value: make(method), configurable: true, writable: true });
}
