import type { CollectedType } from "../types/collected-type.ts";
import { builtinDumps } from "../extensions/index.ts";
import { channelDefaults, declaredSchemas } from "./declared.ts";
import { valueClasses } from "./value-classes.ts";
import { internalsOf, walkSchemas } from "./walk.ts";
import { type AnyClass, isClass } from "../types/any-class.ts";

/**
 * The classes that a compiled graph or an agent names in what it was built of: state, input, output
 * and context schemas, those of its middleware, tools and response format, of subgraphs that are
 * declared in it, and the defaults of its channels. Classes that the serializer keeps by itself are
 * not among them.
 *
 * Schemas are read and never run; of user code only channel defaults are called. Not to be seen are
 * classes of a Zod 3 `instanceof`, of a node's own input schema, of Standard Schema, and of an
 * `Annotation<Money>()` without default.
 *
 * @example
 * ```ts
 * const graph = new StateGraph(z.object({ total: z.instanceof(Money) })).addNode(…).compile();
 * collectTypes(graph); // [{ class: Money, at: "state.total" }]
 * ```
 */
export function collectTypes(target: object): readonly CollectedType[] {
  const kept = [...builtinDumps(false).keys()];
  const found = new Map<AnyClass, string>();
  const add = (at: string, type: AnyClass): void => {
    if (!found.has(type) && !isKept(type, kept)) found.set(type, at);
  };
  for (const [at, schema] of walkSchemas(declaredSchemas(target))) {
    const named = internalsOf(schema).bag?.Class;
    if (isClass(named)) add(at, named);
  }
  for (const [at, make] of channelDefaults(target)) {
    for (const type of valueClasses(madeBy(make))) add(at, type);
  }
  return [...found].map(([type, at]) => ({ class: type, at }));
}

/** Whether a class is one of those that need no entry in `types`, or one that such a class extends. */
function isKept(type: AnyClass, kept: readonly object[]): boolean {
  const prototype = type.prototype as object;
  return kept.some(
    (each) => each === prototype || Object.prototype.isPrototypeOf.call(prototype, each),
  );
}

/** A default that can't be made now will say so when the graph runs. */
function madeBy(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}
