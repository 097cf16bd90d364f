import { StateGraph } from "@langchain/langgraph";

/** A compiled graph without its state's type: for tests that build one graph over many schemas. */
export interface LooseCompiled {
  checkpointer: unknown;
  invoke(input: unknown, config?: object): Promise<Record<string, unknown>>;
  getState(
    config: object,
    options?: object,
  ): Promise<{
    values: Record<string, unknown>;
    next: string[];
    config: object;
    tasks: { state?: unknown }[];
  }>;
  getStateHistory(
    config: object,
  ): AsyncIterable<{ values: Record<string, unknown>; next: string[]; config: object }>;
  updateState(config: object, values: unknown, asNode?: string): Promise<object>;
  stream(input: unknown, config?: object): Promise<AsyncIterable<unknown>>;
  withConfig(config: object): LooseCompiled;
}

export interface LooseBuilder {
  addNode(name: string, action: unknown, options?: object): LooseBuilder;
  addEdge(from: string | string[], to: string): LooseBuilder;
  addConditionalEdges(from: string, route: unknown, targets?: string[]): LooseBuilder;
  compile(options?: object): LooseCompiled;
}

/** `new StateGraph(schema)`, for a schema of any kind. */
export function looseGraph(schema: unknown): LooseBuilder {
  return new (StateGraph as unknown as new (schema: unknown) => LooseBuilder)(schema);
}
