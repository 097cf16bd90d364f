import { markOf } from "./read-marks.ts";
import { type Declared, fieldSchemas, reducerInput, stateFieldsOf } from "./declared.ts";

/** Schemas that are made anew each time that they are asked for would have no end. */
const MAX_SCHEMAS = 10_000;

/** Zod 4's inside of a schema, as far as it is looked at. */
export interface ZodInternals {
  /** The definition: schemas lie under some of its fields. */
  readonly def?: Readonly<Record<string, unknown>>;
  /** `z.instanceof` leaves its class here. Clones begin with an empty bag, and name their parent. */
  readonly bag?: { readonly Class?: unknown };
  readonly parent?: unknown;
  /** What `z.lazy` stands for. */
  readonly innerType?: unknown;
}

/** Fields of a definition with one schema in them, and what they add to the path. */
const SINGLE: readonly (readonly [field: string, step: string])[] = [
  ["innerType", ""],
  ["in", ""],
  ["out", ""],
  ["left", ""],
  ["right", ""],
  ["element", "[]"],
  ["rest", "[]"],
  ["catchall", "[]"],
  ["keyType", ".keys()"],
  ["valueType", "[]"],
];

/** Fields with a list of schemas in them. */
const LISTS: readonly (readonly [field: string, step: (i: number) => string])[] = [
  ["options", () => ""],
  ["items", (i) => `[${i}]`],
];

/**
 * Schemas and all that they are made of, each once, with its place. They are read, never run; the
 * getters by which one refers to itself are asked once. What is untracked is left out: it is never
 * stored.
 */
export function* walkSchemas(schemas: Iterable<Declared>): Generator<readonly [string, object]> {
  const seen = new Set<object>();
  const open: Declared[] = [...schemas].reverse();
  while (open.length > 0 && seen.size < MAX_SCHEMAS) {
    const [at, schema] = open.pop() as Declared;
    if (typeof schema !== "object" || schema === null || seen.has(schema)) continue;
    seen.add(schema);
    if (quietly(() => markOf(schema)) === "untracked") continue;
    yield [at, schema];
    open.push(...[...partsOf(at, schema)].reverse());
  }
}

export function internalsOf(schema: object): ZodInternals {
  const internals: unknown = (schema as { readonly _zod?: unknown })._zod;
  return typeof internals === "object" && internals !== null ? internals : {};
}

function* partsOf(at: string, schema: object): Generator<Declared> {
  const fields = stateFieldsOf(schema);
  if (fields !== undefined) return yield* named(at, fields);
  for (const part of fieldSchemas(schema) ?? []) yield [at, part];
  const internals = internalsOf(schema);
  const { def, parent } = internals;
  if (def === undefined) return;
  if (def.type === "custom") yield [at, parent];
  if (def.type === "lazy") yield [at, quietly(() => internals.innerType)];
  yield [at, quietly(() => reducerInput(schema))];
  // A shape may be a getter, so that a schema can refer to itself.
  const shape = def.type === "object" ? quietly(() => def.shape) : undefined;
  if (typeof shape === "object" && shape !== null) yield* named(at, shape);
  for (const [field, step] of SINGLE) yield [`${at}${step}`, def[field]];
  for (const [field, step] of LISTS) {
    const list = def[field];
    if (Array.isArray(list))
      for (const [i, item] of (list as unknown[]).entries()) yield [`${at}${step(i)}`, item];
  }
}

function* named(at: string, fields: object): Generator<Declared> {
  for (const name of Object.keys(fields))
    yield [`${at}.${name}`, quietly(() => (fields as Record<string, unknown>)[name])];
}

/** A getter may fail, where modules refer to each other in a circle: then it says nothing yet. */
function quietly(get: () => unknown): unknown {
  try {
    return get();
  } catch {
    return undefined;
  }
}
