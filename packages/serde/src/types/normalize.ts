import { invalidOptions } from "../errors.ts";
import {
  type DefinedType,
  defineType,
  isDefinedType,
  isTypeKey,
  type TypeKey,
  withOrigin,
} from "./definition.ts";
import { describedType } from "./description.ts";
import type { CollectedType } from "./collected-type.ts";
import { type AnyClass, isClass } from "./any-class.ts";

/**
 * The classes that may be stored and revived.
 *
 * A record names classes by its property names, which minifiers leave alone. A list holds
 * definitions by {@link defineType}, classes that describe themselves under {@link TYPE}, and
 * `[module, name]` pairs: those load as inert values.
 */
export type Types =
  | Readonly<Record<string, AnyClass | DefinedType>>
  | ReadonlyArray<DefinedType | AnyClass | TypeKey>;

/** Types in one form: definitions, and names that load as inert values. */
export interface NormalTypes {
  readonly definitions: readonly DefinedType[];
  readonly inert: readonly TypeKey[];
  /** Classes that a schema names and that have no name to be stored under. */
  readonly unnamed: readonly CollectedType[];
}

const UNNAMED = Symbol.for("threadkeep.serde.unnamed");

/** Stands in a list of types for a class that has no name: it is not allowed, and known when it is refused. */
export function unnamed(type: CollectedType): CollectedType {
  return Object.freeze({ ...type, [UNNAMED]: true });
}

/** @throws {@link SerdeError} `invalid_options` */
export function normalizeTypes(types: Types): NormalTypes {
  if (typeof types !== "object" || types === null)
    throw invalidOptions("types must be a record of classes, { Money }, or a list of definitions");
  if (!Array.isArray(types)) {
    const entries = Object.entries(types as Record<string, AnyClass | DefinedType>);
    return {
      definitions: entries.map(([name, type]) => named(name, type)),
      inert: [],
      unnamed: [],
    };
  }
  const definitions: DefinedType[] = [];
  const inert: TypeKey[] = [];
  const nameless: CollectedType[] = [];
  for (const [i, type] of (types as readonly unknown[]).entries()) {
    if (isDefinedType(type)) definitions.push(type);
    else if (isTypeKey(type)) inert.push(type);
    else if (isClass(type)) definitions.push(ofItself(type));
    else if (isUnnamed(type)) nameless.push(type);
    else
      throw invalidOptions(
        `types[${i}] is none of: a definition (an object goes through defineType first), a class that describes itself, a [module, name] pair`,
      );
  }
  return { definitions, inert, unnamed: nameless };
}

function isUnnamed(value: unknown): value is CollectedType {
  return typeof value === "object" && value !== null && UNNAMED in value;
}

function named(name: string, type: unknown): DefinedType {
  if (isDefinedType(type)) return type;
  if (isClass(type))
    return describedType(type, name) ?? withOrigin(defineType({ name, class: type }), "named");
  throw invalidOptions(`types.${name} is neither a class nor a definition`);
}

function ofItself(constructor: AnyClass): DefinedType {
  const type = describedType(constructor);
  if (type !== undefined) return type;
  const name = /^[A-Za-z_$][\w$]*$/.test(constructor.name) ? constructor.name : "MyClass";
  throw invalidOptions(
    `Class ${name} does not say under which name it is stored; name it: types: { ${name} }, or defineType({ name: "${name}", class: ${name} })`,
  );
}
