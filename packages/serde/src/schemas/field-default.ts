import type { FieldLike } from "./read-marks.ts";

/** Wrappers through which a default shines. */
const THROUGH = new Set([
  "optional",
  "nullable",
  "readonly",
  "ZodOptional",
  "ZodNullable",
  "ZodReadonly",
]);

/**
 * What makes a state field's default, as its Zod schema says; undefined for a field without one. A
 * default that is made by a function is made anew at each call.
 */
export function defaultOf(field: unknown): (() => unknown) | undefined {
  let at = field as FieldLike | null | undefined;
  for (let i = 0; i < 20 && typeof at === "object" && at !== null; i++) {
    const definition = at._zod?.def ?? at._def;
    const kind = definition?.type ?? definition?.typeName;
    if (definition === undefined) return undefined;
    // Zod 4 has a getter there, Zod 3 a function.
    if (kind === "default") return () => definition.defaultValue;
    if (definition.typeName === "ZodDefault") return definition.defaultValue as () => unknown;
    if (!THROUGH.has((kind ?? definition.typeName) as string)) return undefined;
    at = definition.innerType as FieldLike | undefined;
  }
  return undefined;
}
