import { BaseChannel } from "@langchain/langgraph/web";
import { z } from "zod/v4";
import { SerdeError } from "../errors.ts";
import { type FieldLike, type FieldMark, MARK } from "../schemas/read-marks.ts";

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
 * Mark a state field as untracked: the running graph sees its value, storage never does. It is
 * `withAllowlist` that keeps it so; in a graph that is not hardened the mark does nothing.
 *
 * The field becomes optional, because a resumed run starts without it; one with a default keeps it.
 * Give the type alone, a Zod schema (4, 3 or mini), an `Annotation`, or a value of a `StateSchema`.
 * The mark stays through `.optional()`, `.describe()` and the like.
 *
 * @throws {@link SerdeError} `invalid_options` for a schema that has a LangGraph reducer already
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), db: untracked<Database>() });
 * const Annotated = Annotation.Root({ question: Annotation<string>(), db: untracked(Annotation<Database>()) });
 * ```
 */
export function untracked<T = unknown>(): z.ZodOptional<z.ZodType<T, T>>;
export function untracked<S extends z.ZodDefault | z.ZodPrefault | z.ZodOptional>(schema: S): S;
export function untracked<S extends z.ZodType>(schema: S): z.ZodOptional<S>;
export function untracked<S extends Zod3Schema>(schema: S): ReturnType<S["optional"]>;
export function untracked<S>(field: S): S;
export function untracked(field: unknown = z.any()): unknown {
  return mark(isSchema(field) ? optional(field) : field, "untracked");
}

/**
 * Mark a state field as private: it is stored in its own channel only, never in what a `Send`
 * carries to a task. Fields of `createAgent` graphs whose name starts with `_` are private anyway.
 *
 * @throws {@link SerdeError} `invalid_options` for a schema that has a LangGraph reducer already
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), token: privateState(z.string()) });
 * ```
 */
export function privateState<S>(field: S): S {
  return mark(field, "private") as S;
}

interface Schema extends FieldLike {
  optional?(): unknown;
}

function isSchema(field: unknown): field is Schema {
  if (typeof field !== "object" || field === null) return false;
  return "_zod" in field || "_def" in field;
}

const HAVE_DEFAULTS = new Set(["optional", "default", "prefault", "ZodOptional", "ZodDefault"]);

function optional(schema: Schema): unknown {
  assertNoReducer(schema);
  const kind = schema._zod?.def?.type ?? schema._def?.typeName;
  if (HAVE_DEFAULTS.has(kind as string)) return schema;
  // Schemas of zod/mini have no method for it.
  return schema.optional?.() ?? z.optional(schema as unknown as z.ZodType);
}

/** Never changes what it is given: the same schema may stand in other states, unmarked. */
function mark(field: unknown, as: FieldMark): unknown {
  if (typeof field === "function") {
    const make = field as () => object;
    return () => mark(make(), as);
  }
  if (typeof field !== "object" || field === null) return field;
  const { _zod, _def } = field as FieldLike;
  if (isSchema(field)) assertNoReducer(field);
  if (_zod !== undefined) return markZod4(field as z.ZodType, as);
  if (_def !== undefined) return markZod3(field as Zod3Schema, as);
  return Object.assign(copyOf(field), { [MARK]: as });
}

/** With its metadata: a clone inherits what its parent has. */
function markZod4(schema: z.ZodType, as: FieldMark): z.ZodType {
  // A schema's parts may be getters, which are not to be run now.
  const descriptors = Object.getOwnPropertyDescriptors(schema._zod.def);
  const def = Object.defineProperties({} as typeof schema._zod.def, {
    ...descriptors,
    [MARK]: { value: as, enumerable: true, configurable: true },
  });
  return z.core.clone(schema, def, { parent: true });
}

/** Zod 3 copies a schema only along with a new description. */
function markZod3(schema: Zod3Schema, as: FieldMark): Zod3Schema {
  const { description } = schema._def as { description?: string };
  const copy = (schema as Zod3Schema & { describe(text: unknown): Zod3Schema }).describe(
    description,
  );
  Object.assign(copy._def, { [MARK]: as });
  return copy;
}

/** An empty channel, or a state value, of the same kind. */
function copyOf(field: object): object {
  const { lg_is_channel: isChannel } = field as { lg_is_channel?: unknown };
  if (isChannel === true)
    return (field as BaseChannel<unknown, unknown, unknown>).fromCheckpoint(undefined);
  const prototype = Object.getPrototypeOf(field) as object;
  return Object.assign(Object.create(prototype) as object, field);
}

/** LangGraph knows a schema's reducer by the schema itself, and a marked copy is another one. */
function assertNoReducer(schema: FieldLike): void {
  if (!Object.hasOwn(schema, "lg_reducer_schema")) return;
  throw new SerdeError({
    code: "invalid_options",
    path: "",
    message:
      "this schema has a LangGraph reducer, which a marked copy would lose; mark it first: withLangGraph(untracked(schema), { reducer })",
  });
}
