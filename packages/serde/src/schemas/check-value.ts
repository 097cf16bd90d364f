import { z } from "zod/v4";
import { formatPath, type PathStep } from "../path.ts";
import { fieldSchemas } from "./declared.ts";
import { internalsOf, walkSchemas } from "./walk.ts";

/** Where a value is other than its schema says, and how. */
export interface SchemaIssue {
  /** Empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** An issue as Zod and Standard Schema tell it. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

interface StandardSchema {
  readonly "~standard": {
    validate(
      value: unknown,
    ): { issues?: readonly Issue[] } | Promise<{ issues?: readonly Issue[] }>;
  };
}

/** Finds what is wrong with a value. */
export type ValueCheck = (value: unknown) => Promise<readonly SchemaIssue[]>;

/**
 * Checks stored values by the schema of their field: Zod 4, Zod 3, or any other Standard Schema;
 * undefined when the field has none that can be asked. Stored is what a schema gives: one that
 * transforms is asked the other way round.
 */
export function valueCheck(field: unknown): ValueCheck | undefined {
  const schema = storedSchema(field);
  const find = schema === undefined ? undefined : issueFinder(schema);
  if (find === undefined) return undefined;
  return async (value) =>
    (await find(value)).map(({ path = [], message }) => ({
      path: formatPath(path.map(toStep)),
      message,
    }));
}

function storedSchema(field: unknown): StandardSchema | undefined {
  if (typeof field !== "object" || field === null) return undefined;
  const inner = fieldSchemas(field);
  const schema: unknown = inner === undefined ? field : inner[0];
  return typeof schema === "object" && schema !== null && "~standard" in schema
    ? (schema as StandardSchema)
    : undefined;
}

function issueFinder(
  schema: StandardSchema,
): ((value: unknown) => Promise<readonly Issue[]>) | undefined {
  if (!isTransforming(schema))
    return async (value) => (await schema["~standard"].validate(value)).issues ?? [];
  return "_zod" in schema ? (value) => encodingIssues(schema, value) : undefined;
}

/** Zod 4 can go from what a schema gives to what it takes, where it was told how. */
async function encodingIssues(schema: object, value: unknown): Promise<readonly Issue[]> {
  try {
    const { error } = await z.safeEncodeAsync(schema as z.ZodType, value as never);
    return error?.issues ?? [];
  } catch {
    return [];
  }
}

/** Whether a schema gives something else than it takes. */
function isTransforming(schema: object): boolean {
  for (const [, part] of walkSchemas([["", schema]])) {
    const type = internalsOf(part).def?.type;
    if (type === "pipe" || type === "transform") return true;
  }
  return hasZod3Transform(schema, 0);
}

const ZOD3_TRANSFORMS = new Set(["ZodPipeline", "ZodEffects"]);
const MAX_DEPTH = 32;

/** Zod 3's definitions hold schemas under many names; refinements are effects too, and harmless. */
function hasZod3Transform(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((item) => hasZod3Transform(item, depth + 1));
  const def = (value as { readonly _def?: unknown })._def;
  if (typeof def !== "object" || def === null || "_zod" in value) return false;
  const { typeName, effect, shape } = def as {
    readonly typeName?: string;
    readonly effect?: { readonly type?: string };
    readonly shape?: () => object;
  };
  if (typeName !== undefined && ZOD3_TRANSFORMS.has(typeName) && effect?.type !== "refinement")
    return true;
  const fields = typeof shape === "function" ? Object.values(shape()) : Object.values(def);
  return fields.some((item) => hasZod3Transform(item, depth + 1));
}

function toStep(part: PropertyKey | { readonly key: PropertyKey }): PathStep {
  const key = typeof part === "object" ? part.key : part;
  return typeof key === "symbol" ? key.toString() : key;
}
