/** How a state field is treated by storage. */
export type FieldMark = "untracked" | "private";

/**
 * Key of the mark: on channels and state values, and in the definitions of Zod schemas, which their
 * clones by `.describe()`, `.meta()`, `.refine()` share or copy. `.optional()` and the like wrap the
 * schema, and are looked through.
 */
export const MARK: unique symbol = Symbol.for("threadkeep.state");

/** A schema, channel or state value of any library, as far as it is looked at. */
export interface FieldLike {
  readonly _zod?: { readonly def?: Readonly<Record<PropertyKey, unknown>> };
  readonly _def?: Readonly<Record<PropertyKey, unknown>>;
  readonly [MARK]?: unknown;
}

type Definition = Readonly<Record<PropertyKey, unknown>>;

/** Where a definition keeps the schemas that say what the value itself is. */
const SAME_VALUE = ["innerType", "in", "out", "schema", "options", "left", "right"] as const;
/** Where it keeps those of values inside of the value. */
const INNER_VALUES = ["element", "items", "rest", "keyType", "valueType"] as const;
/** LangGraph's own state values wrap a schema. */
const STATE_VALUE = ["valueSchema", "inputSchema", "schema"] as const;

/** The mark of a schema or channel, also through wrappers around it. Untracked wins over private. */
export function markOf(field: unknown): FieldMark | undefined {
  const found = new Set<FieldMark>();
  const seen = new Set<object>();
  const visit = (at: unknown): void => {
    if (!isObject(at) || seen.has(at)) return;
    seen.add(at);
    const own = ownMark(at);
    if (own !== undefined) found.add(own);
    for (const next of sameValue(at)) visit(next);
  };
  visit(field);
  if (found.has("untracked")) return "untracked";
  return found.has("private") ? "private" : undefined;
}

/**
 * The path to a mark inside of a field's value. A mark counts for whole state fields only, so one in
 * there would promise what nothing keeps.
 */
export function nestedMarkOf(field: unknown): string | undefined {
  const seen = new Set<object>();
  const visit = (at: unknown, path: string): string | undefined => {
    if (!isObject(at) || seen.has(at)) return undefined;
    seen.add(at);
    if (path !== "" && ownMark(at) !== undefined) return path;
    for (const next of sameValue(at)) {
      const found = visit(next, path);
      if (found !== undefined) return found;
    }
    for (const [step, next] of innerValues(at)) {
      const found = visit(next, `${path}${step}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return visit(field, "");
}

function ownMark(field: FieldLike): FieldMark | undefined {
  const found = field[MARK] ?? definitionOf(field)?.[MARK];
  return found === "untracked" || found === "private" ? found : undefined;
}

/** Schemas inside of a schema that say what the value itself is. */
export function sameValue(field: FieldLike): unknown[] {
  const definition = definitionOf(field);
  if (definition === undefined)
    return STATE_VALUE.map((key) => (field as Record<string, unknown>)[key]);
  const wrapped = SAME_VALUE.flatMap((key) => definition[key]);
  const isBranded = definition.typeName === "ZodBranded" || definition.typeName === "ZodPromise";
  return [...wrapped, lazily(definition), isBranded ? definition.type : undefined];
}

/** The schema of a lazy one. Its getter is the only code of a schema's author that is run. */
function lazily({ getter }: Definition): unknown {
  if (typeof getter !== "function") return undefined;
  try {
    return (getter as () => unknown)();
  } catch {
    // It refers to what is not defined yet; whoever parses with it will be told.
    return undefined;
  }
}

function innerValues(field: FieldLike): [step: string, schema: unknown][] {
  const definition = definitionOf(field);
  if (definition === undefined) return [];
  const shape = typeof definition.shape === "function" ? definition.shape() : definition.shape;
  const fields = isObject(shape)
    ? Object.entries(shape).map(([key, value]): [string, unknown] => [`.${key}`, value])
    : [];
  const elements = INNER_VALUES.flatMap((key) => definition[key]).map(
    (value): [string, unknown] => ["[]", value],
  );
  return [
    ...fields,
    ...elements,
    ...(definition.typeName === "ZodArray"
      ? ([["[]", definition.type]] as [string, unknown][])
      : []),
  ];
}

function definitionOf(field: FieldLike): Definition | undefined {
  return field._zod?.def ?? field._def;
}

function isObject(value: unknown): value is FieldLike & object {
  return typeof value === "object" && value !== null;
}
