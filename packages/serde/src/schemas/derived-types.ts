import { collectTypes } from "./collect-types.ts";
import { withOrigin } from "../types/definition.ts";
import { describedType } from "../types/description.ts";
import { normalizeTypes, type Types, unnamed } from "../types/normalize.ts";
import { TypeTable } from "../types/type-table.ts";
import type { CollectedType } from "../types/collected-type.ts";

/**
 * The given types, and the classes that a graph's schemas name: those that describe themselves are
 * allowed, the others are named with their place when an instance is refused.
 *
 * @throws {@link SerdeError} `invalid_options`
 */
export function withDerivedTypes(target: object, types: Types = []): Types {
  const { definitions, inert } = normalizeTypes(types);
  const given = new Set<unknown>(definitions.map((type) => type.class));
  const found = collectTypes(target).filter((type) => !given.has(type.class));
  const all = [...definitions, ...inert, ...found.map(derived)] as Types;
  // Contradictions among them are told now, not when the graph meets its saver.
  TypeTable.EMPTY.with(all);
  return all;
}

function derived(found: CollectedType): unknown {
  const type = describedType(found.class);
  return type === undefined ? unnamed(found) : withOrigin(type, "found");
}
