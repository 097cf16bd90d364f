import { invalidOptions } from "../errors.ts";
import { optionsProblem } from "../options-problem.ts";
import { JS_MODULE } from "../wire.ts";
import { type AnyClass, isClass } from "./any-class.ts";
import { lossOfFields } from "./class-checks.ts";
import { checkedSteps, type Migrations } from "./versions.ts";

/** The stable name under which a class is stored: module and name, chosen by the user. */
export type TypeKey = readonly [module: string, name: string];

/** How instances of one class are stored and revived. */
export interface TypeDefinition<T extends object = object, D = unknown> {
  /** Stored module. @defaultValue `"js"`: the class exists in JavaScript alone. */
  readonly module?: string;
  /** Stored name. It has to stay the same for as long as stored values are to be read. */
  readonly name: string;
  readonly class: AnyClass<T>;
  /** What to store of an instance; `this` is the class. @defaultValue its own enumerable fields */
  readonly dump?: (value: T) => D;
  /** An instance from what was stored; `this` is the class. @defaultValue an object of the class with those fields */
  readonly load?: (data: D) => T;
  /** Store the own fields although the class has `#private` ones, which are lost then. */
  readonly fields?: boolean;
  /** Counts up with each change of what is stored. @defaultValue 1 */
  readonly version?: number;
  /**
   * What older versions stored, turned into the next version's: `{ 1: (old) => … , 2: … }`, a step
   * for each version before this one. A class without `load` is given a record of its fields.
   */
  readonly migrate?: Migrations<(data: never) => unknown>;
  /** Names under which older code stored the class: a name of the same module, or a pair. */
  readonly aliases?: readonly (string | TypeKey)[];
}

/** How a class describes itself: a definition without the class. */
export type TypeDescription<T extends object = object, D = unknown> = Omit<
  TypeDefinition<T, D>,
  "class"
>;

const BRAND = Symbol.for("threadkeep.serde.type");
/** Modules of whose names readers make values of their own, here and in Python. */
const RESERVED = /^(?:builtins|datetime|re|numpy|langgraph|langchain_core)(?:\.|$)/;
const KNOWN = [
  "module",
  "name",
  "class",
  "dump",
  "load",
  "fields",
  "version",
  "migrate",
  "aliases",
];

/** A definition that was checked; what {@link defineType} gives back. */
export interface DefinedType<T extends object = object> {
  readonly key: TypeKey;
  readonly class: AnyClass<T>;
  // Called with instances of `class` alone; `never` lets definitions of any class stand in one list.
  readonly dump: ((value: never) => unknown) | undefined;
  readonly load: ((data: unknown) => T) | undefined;
  readonly version: number;
  /** From version 1 on, in order. */
  readonly steps: readonly ((data: unknown) => unknown)[];
  readonly aliases: readonly TypeKey[];
  readonly origin: Origin;
}

/**
 * Where a definition is from: given as one, made of a class's name in `types`, or found in a graph's
 * schemas. Each gives way to those before it.
 */
export type Origin = "given" | "named" | "found";

/**
 * Define how a class is stored.
 *
 * @throws {@link SerdeError} `invalid_options` when the definition contradicts itself, or the class
 * has private fields that storing its own fields would lose.
 *
 * @example
 * ```ts
 * const money = defineType({
 *   name: "Money",
 *   class: Money,
 *   dump: (value) => [value.amount, value.currency],
 *   load: ([amount, currency]) => new Money(amount, currency),
 * });
 * new MsgpackSerializer({ types: [money] });
 * ```
 */
export function defineType<T extends object, D>(definition: TypeDefinition<T, D>): DefinedType<T> {
  const problem = optionsProblem(definition, KNOWN);
  if (problem !== undefined) throw invalidOptions(`defineType ${problem}`);
  const { module = JS_MODULE, name, class: constructor, dump, load, version = 1 } = definition;
  const label = `Type ${JSON.stringify(name)}`;
  if (!isName(name) || !isName(module)) {
    throw invalidOptions(`${label} needs a name, and a module if one is given, that are not empty`);
  }
  if (RESERVED.test(module))
    throw invalidOptions(
      `${label} is in ${module}, whose names have a meaning already; name another module`,
    );
  if (!isClass(constructor)) throw invalidOptions(`${label} needs a class`);
  if ((dump === undefined) !== (load === undefined)) {
    throw invalidOptions(`${label} has only one of dump and load; give both or neither`);
  }
  if (dump !== undefined && (typeof dump !== "function" || typeof load !== "function"))
    throw invalidOptions(`${label} has a dump or load that is no function`);
  if (definition.aliases !== undefined && !Array.isArray(definition.aliases))
    throw invalidOptions(`${label} needs a list of aliases`);
  const loss =
    dump === undefined && definition.fields !== true ? lossOfFields(constructor) : undefined;
  if (loss !== undefined) throw invalidOptions(`${label} ${loss}`);
  const steps = checkedSteps(label, version, definition.migrate);
  if (!steps.every((step) => typeof step === "function"))
    throw invalidOptions(`${label} has a step in migrate that is no function`);
  return Object.freeze({
    [BRAND]: true,
    key: Object.freeze([module, name] as const),
    class: constructor,
    dump,
    load: load as ((data: unknown) => T) | undefined,
    version,
    steps: Object.freeze(steps as readonly ((data: unknown) => unknown)[]),
    aliases: Object.freeze((definition.aliases ?? []).map((each) => toKey(each, module, label))),
    origin: "given",
  });
}

/** The same definition from elsewhere. */
export function withOrigin(type: DefinedType, origin: Origin): DefinedType {
  return Object.freeze({ ...type, origin });
}

/** Whether a value came from {@link defineType}, of this copy of the package or another. */
export function isDefinedType(value: unknown): value is DefinedType {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** Whether a value is a `[module, name]` pair. */
export function isTypeKey(value: unknown): value is TypeKey {
  return Array.isArray(value) && value.length === 2 && value.every(isName);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function toKey(alias: string | TypeKey, module: string, label: string): TypeKey {
  if (isName(alias)) return Object.freeze([module, alias] as const);
  if (isTypeKey(alias)) return alias;
  throw invalidOptions(`${label} has an alias that is neither a name nor a [module, name] pair`);
}
