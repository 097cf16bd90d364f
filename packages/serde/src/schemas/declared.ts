/**
 * Where LangGraph and LangChain keep the schemas that a compiled graph or an agent was built of.
 *
 * Schemas and channels are found here, and read elsewhere. What is not where it is expected is not
 * found: then a class has to be given by hand, as one has to that no schema shows.
 */
import { schemaMetaRegistry } from "@langchain/langgraph/zod";

/** A schema, or a record of fields that are schemas, and how to name it. */
export type Declared = readonly [at: string, schema: unknown];

interface Graph {
  readonly builder?: unknown;
  readonly channels?: unknown;
  readonly nodes?: unknown;
  getSubgraphs?(namespace?: string, recurse?: boolean): Iterable<[string, unknown]>;
}

interface Middleware {
  readonly name?: unknown;
  readonly stateSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly tools?: unknown;
}

/** Every schema of a graph or agent, and of the graphs that are declared in it, at any depth. */
export function* declaredSchemas(target: unknown): Generator<Declared> {
  for (const [prefix, graph, options] of graphsOf(target)) {
    const found = [...ofGraph(graph), ...ofOptions(options)];
    for (const [at, schema] of found) yield [`${prefix}${at}`, schema];
  }
}

/** Every channel with a default, and the function that makes it. */
export function* channelDefaults(target: unknown): Generator<readonly [string, () => unknown]> {
  for (const [prefix, { channels }] of graphsOf(target)) {
    for (const [name, channel] of Object.entries(isRecord(channels) ? channels : {})) {
      if (!isRecord(channel) || channel.lc_graph_name === "UntrackedValue") continue;
      const make = channel.initialValueFactory;
      if (typeof make === "function") yield [`${prefix}default of ${name}`, make as () => unknown];
    }
  }
}

/** The schemas that stand for the value of a field, when the field is one of LangGraph's own. */
export function fieldSchemas(field: object): readonly unknown[] | undefined {
  const { valueSchema, inputSchema } = field as Readonly<Record<string, unknown>>;
  if (valueSchema !== undefined) return [valueSchema, inputSchema];
  return has(field, "langgraph.state.untracked_value") ? [] : undefined;
}

/** The fields of a `StateSchema` or an `Annotation.Root`. */
export function stateFieldsOf(schema: object): Readonly<Record<string, unknown>> | undefined {
  const { fields, spec } = schema as Readonly<Record<string, unknown>>;
  if (has(schema, "langgraph.state.state_schema")) return isRecord(fields) ? fields : {};
  return (schema as { lc_graph_name?: unknown }).lc_graph_name === "AnnotationRoot" &&
    isRecord(spec)
    ? spec
    : undefined;
}

/** The schema of what a Zod field's reducer is given. */
export function reducerInput(schema: object): unknown {
  return schemaMetaRegistry.get(schema as never)?.reducer?.schema;
}

function has(value: object, symbol: string): boolean {
  return (value as Record<symbol, unknown>)[Symbol.for(symbol)] === true;
}

function* graphsOf(
  target: unknown,
): Generator<readonly [prefix: string, graph: Graph, options: Readonly<Record<string, unknown>>]> {
  const isAgent = isRecord(target) && isRecord(target.graph) && isRecord(target.options);
  const graph = isAgent ? target.graph : target;
  if (!isRecord(graph)) return;
  yield ["", graph, isAgent ? (target.options as Record<string, unknown>) : {}];
  if (typeof graph.getSubgraphs !== "function") return;
  for (const [name, child] of (graph as Required<Graph>).getSubgraphs(undefined, true))
    if (isRecord(child)) yield [`subgraph "${name}" `, child, {}];
}

function* ofGraph({ builder, nodes }: Graph): Generator<Declared> {
  const sources = isRecord(builder) ? builder : {};
  yield ["state", sources._schemaRuntimeDefinition];
  yield ["input", sources._inputRuntimeDefinition];
  yield ["output", sources._outputRuntimeDefinition];
  yield ["context", sources._configRuntimeSchema];
  for (const node of Object.values(isRecord(nodes) ? nodes : {})) {
    const bound = isRecord(node) ? node.bound : undefined;
    if (!isRecord(bound)) continue;
    yield* ofMiddleware(bound.middleware);
    yield* ofTools(bound.tools);
  }
}

function* ofOptions(options: Readonly<Record<string, unknown>>): Generator<Declared> {
  yield ["state", options.stateSchema];
  yield ["context", options.contextSchema];
  for (const format of [options.responseFormat].flat()) {
    yield ["response", format];
    if (isRecord(format)) yield ["response", format.schema];
  }
  yield* ofTools(options.tools);
  for (const middleware of Array.isArray(options.middleware) ? options.middleware : [])
    yield* ofMiddleware(middleware);
}

function* ofMiddleware(middleware: unknown): Generator<Declared> {
  if (!isRecord(middleware)) return;
  const { name, stateSchema, contextSchema, tools } = middleware as Middleware;
  yield [`middleware ${String(name)} state`, stateSchema];
  yield [`middleware ${String(name)} context`, contextSchema];
  yield* ofTools(tools);
}

function* ofTools(tools: unknown): Generator<Declared> {
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (isRecord(tool)) yield [`tool ${String(tool.name)} input`, tool.schema];
  }
}

/** Functions count: some tools are. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
