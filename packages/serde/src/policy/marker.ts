import { z } from "zod/v4";

/** How a state field is treated by storage. */
export type FieldMark = "untracked";

/**
 * Key of the mark in Zod's metadata, which `.describe()`, `.meta()` and `.refine()` carry over to
 * their clones; `.optional()` and the like wrap the schema, and are looked through.
 */
const META = "threadkeep.state";
const MAX_WRAPPERS = 16;

/** The fields of Zod's definitions under which a wrapped schema lies. */
const WRAPPED = ["innerType", "in", "schema", "out"] as const;

/**
 * Mark a state field as untracked: the running graph sees its value, storage never does.
 *
 * The field becomes optional, because a resumed run starts without it. Give the type alone, or a
 * Zod 4 schema.
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), db: untracked<Database>() });
 * ```
 */
export function untracked<T = unknown>(): z.ZodOptional<z.ZodType<T>>;
export function untracked<S extends z.ZodType>(schema: S): z.ZodOptional<S>;
export function untracked(schema: z.ZodType = z.any()): z.ZodOptional<z.ZodType> {
  return schema.optional().meta({ ...schema.meta(), [META]: "untracked" });
}

interface SchemaLike {
  readonly meta?: () => Readonly<Record<string, unknown>> | undefined;
  readonly _zod?: { readonly def?: Readonly<Record<string, unknown>> };
  readonly _def?: Readonly<Record<string, unknown>>;
}

/** The mark of a schema, also through wrappers around it. */
export function markOf(schema: unknown): FieldMark | undefined {
  let at = schema;
  for (let depth = 0; depth < MAX_WRAPPERS && typeof at === "object" && at !== null; depth++) {
    const { meta, _zod, _def } = at as SchemaLike;
    const mark = typeof meta === "function" ? meta.call(at)?.[META] : undefined;
    if (mark === "untracked") return mark;
    const definition = _zod?.def ?? _def;
    at = WRAPPED.map((key) => definition?.[key]).find(
      (inner) => typeof inner === "object" && inner !== null,
    );
  }
  return undefined;
}
