import { BaseChannel } from "@langchain/langgraph/web";
import { z } from "zod/v4";

/** How a state field is treated by storage. */
export type FieldMark = "untracked" | "private";

/**
 * Key of the mark in Zod's metadata, which `.describe()`, `.meta()` and `.refine()` carry over to
 * their clones; `.optional()` and the like wrap the schema, and are looked through.
 */
const META = "threadkeep.state";
/** The same mark where there is no such metadata: on channels, and in Zod 3's definitions, which its clones copy. */
const MARK: unique symbol = Symbol.for("threadkeep.state");
const MAX_WRAPPERS = 32;

/** The fields of Zod's definitions under which a wrapped schema lies. */
const WRAPPED = ["innerType", "in", "schema", "out"] as const;

/** A Zod 3 schema, as far as it is looked at. */
export interface Zod3Schema {
  readonly _def: object;
  readonly _type: unknown;
  optional(): Zod3Schema;
}

/** What `Annotation()` gives: a channel, or a function that makes one. */
export type AnnotatedField =
  | BaseChannel<unknown, unknown, unknown>
  | (() => BaseChannel<unknown, unknown, unknown>);

/**
 * Mark a state field as untracked: the running graph sees its value, storage never does.
 *
 * The field becomes optional, because a resumed run starts without it. Give the type alone, a Zod
 * schema (4 or 3), or an `Annotation`.
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), db: untracked<Database>() });
 * const Annotated = Annotation.Root({ question: Annotation<string>(), db: untracked(Annotation<Database>()) });
 * ```
 */
export function untracked<T = unknown>(): z.ZodOptional<z.ZodType<T, T>>;
export function untracked<S extends z.ZodType>(schema: S): z.ZodOptional<S>;
export function untracked<S extends Zod3Schema>(schema: S): ReturnType<S["optional"]>;
export function untracked<S>(field: S): S;
export function untracked(field: unknown = z.any()): unknown {
  return isOptional(field) ? mark(field.optional(), "untracked") : mark(field, "untracked");
}

/**
 * Mark a state field as private: it is stored in its own channel only, never in what a `Send`
 * carries to a task. Fields of `createAgent` graphs whose name starts with `_` are private anyway.
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), token: privateState(z.string()) });
 * ```
 */
export function privateState<S>(field: S): S {
  return mark(field, "private") as S;
}

/** The mark of a schema or channel, also through wrappers around it. */
export function markOf(field: unknown): FieldMark | undefined {
  let at = field;
  for (let depth = 0; depth < MAX_WRAPPERS && typeof at === "object" && at !== null; depth++) {
    const found = ownMark(at);
    if (found !== undefined) return found;
    const definition = definitionOf(at);
    // A ReducedValue of LangGraph's has its schema beside its reducer.
    const candidates = [
      ...WRAPPED.map((key) => definition?.[key]),
      (at as { valueSchema?: unknown }).valueSchema,
    ];
    at = candidates.find((inner) => typeof inner === "object" && inner !== null);
  }
  return undefined;
}

interface SchemaLike {
  readonly meta?: () => Readonly<Record<string, unknown>> | undefined;
  readonly _zod?: { readonly def?: Readonly<Record<PropertyKey, unknown>> };
  readonly _def?: Readonly<Record<PropertyKey, unknown>>;
  readonly [MARK]?: unknown;
}

function definitionOf(schema: SchemaLike): Readonly<Record<PropertyKey, unknown>> | undefined {
  return schema._zod?.def ?? schema._def;
}

function ownMark(schema: SchemaLike): FieldMark | undefined {
  const found = metaOf(schema)?.[META] ?? schema[MARK] ?? schema._def?.[MARK];
  return found === "untracked" || found === "private" ? found : undefined;
}

/** Zod 4's metadata; schemas of `zod/mini` have no method for it. */
function metaOf(schema: SchemaLike): Readonly<Record<string, unknown>> | undefined {
  if (typeof schema.meta === "function") return schema.meta();
  return schema._zod === undefined
    ? undefined
    : z.globalRegistry.get(schema as unknown as z.ZodType);
}

function isOptional(field: unknown): field is { optional(): unknown } {
  return (
    typeof field === "object" &&
    field !== null &&
    typeof (field as { optional?: unknown }).optional === "function"
  );
}

function mark(field: unknown, as: FieldMark): unknown {
  if (typeof field === "function") {
    const make = field as () => object;
    return () => mark(make(), as);
  }
  if (typeof field !== "object" || field === null) return field;
  const { meta, _zod, _def } = field as SchemaLike;
  if (typeof meta === "function") {
    return (field as z.ZodType).meta({ ...(meta.call(field) as object | undefined), [META]: as });
  }
  if (_zod !== undefined) {
    z.globalRegistry.add(field as z.ZodType, { [META]: as });
    return field;
  }
  if (_def !== undefined) return markZod3(field as Zod3Schema, as);
  return Object.assign(field, { [MARK]: as });
}

/** A copy, so that the schema that was given stays unmarked: Zod 3 makes one with `describe`. */
function markZod3(schema: Zod3Schema, as: FieldMark): Zod3Schema {
  const copy = (schema as Zod3Schema & { describe(text: string | undefined): Zod3Schema }).describe(
    undefined,
  );
  Object.assign(copy._def, { [MARK]: as });
  return copy;
}
