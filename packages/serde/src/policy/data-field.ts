import { sameValue } from "../schemas/read-marks.ts";

/** What Zod calls schemas of values that are data whatever they hold; by 4's names and by 3's. */
const DATA = new Set(
  [
    ["string", "number", "int", "bigint", "boolean", "date", "literal", "enum", "array", "tuple"],
    ["record", "map", "set", "template_literal", "ZodString", "ZodNumber", "ZodBigInt"],
    ["ZodBoolean", "ZodDate", "ZodLiteral", "ZodEnum", "ZodNativeEnum", "ZodArray", "ZodTuple"],
    ["ZodRecord", "ZodMap", "ZodSet"],
  ].flat(),
);

/** Channels that gather what was written; a live object is one value. */
const GATHERS = new Set(["BinaryOperatorAggregate", "DeltaChannel", "Topic"]);

/** Whether a schema or channel can only hold data, and no live object. */
export function isDataField(field: unknown): boolean {
  const seen = new Set<object>();
  const leaves: boolean[] = [];
  const visit = (at: unknown): void => {
    if (typeof at !== "object" || at === null || seen.has(at)) return;
    seen.add(at);
    const inner = sameValue(at).filter((next) => typeof next === "object" && next !== null);
    if (inner.length === 0) leaves.push(isData(at));
    for (const next of inner) visit(next);
  };
  visit(field);
  return leaves.length > 0 && leaves.every(Boolean);
}

interface Named {
  readonly lc_graph_name?: unknown;
  readonly _zod?: { readonly def?: { readonly type?: unknown } };
  readonly _def?: { readonly typeName?: unknown };
}

function isData({ lc_graph_name: channel, _zod, _def }: Named): boolean {
  if (typeof channel === "string") return GATHERS.has(channel);
  return DATA.has((_zod?.def?.type ?? _def?.typeName) as string);
}
