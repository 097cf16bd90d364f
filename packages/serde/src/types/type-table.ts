import { SerdeError } from "../errors.ts";
import type { DefinedType, TypeKey } from "./definition.ts";
import { normalizeTypes, type Types } from "./normalize.ts";

/** Known types by class and by stored name. Immutable; `with` gives a larger one. */
export class TypeTable {
  static readonly EMPTY: TypeTable = new TypeTable(new Map(), new Map(), new Map());

  readonly #byPrototype: ReadonlyMap<object, DefinedType>;
  /** By stored name, those of older code too. */
  readonly #byKey: ReadonlyMap<string, DefinedType>;
  readonly #inert: ReadonlyMap<string, TypeKey>;
  /** Where a schema names a class that has no name, by its prototype. */
  readonly #unnamed: ReadonlyMap<object, string>;

  private constructor(
    byPrototype: ReadonlyMap<object, DefinedType>,
    inert: ReadonlyMap<string, TypeKey>,
    unnamed: ReadonlyMap<object, string>,
  ) {
    const byKey = indexByKey([...byPrototype.values()]);
    const kept = new Set(byKey.values());
    this.#byPrototype = new Map([...byPrototype].filter(([, type]) => kept.has(type)));
    this.#byKey = byKey;
    this.#inert = inert;
    this.#unnamed = unnamed;
  }

  /** This table and `types`; this same table when they add nothing. */
  with(types: Types): TypeTable {
    const { definitions, inert, unnamed } = normalizeTypes(types);
    const byPrototype = new Map(this.#byPrototype);
    for (const type of definitions) {
      const prototype = type.class.prototype as object;
      const known = byPrototype.get(prototype);
      byPrototype.set(prototype, known === undefined ? type : preferred(known, type));
    }
    const allInert = new Map([...inert.map((key) => [mapKey(key), key] as const), ...this.#inert]);
    const places = unnamed.map((found) => [found.class.prototype as object, found.at] as const);
    const table = new TypeTable(byPrototype, allInert, new Map([...places, ...this.#unnamed]));
    return table.#isSame(this) ? this : table;
  }

  /** The definition whose instances have this prototype. */
  forPrototype(prototype: object): DefinedType | undefined {
    return this.#byPrototype.get(prototype);
  }

  /** The definition stored under this name, now or by older code. */
  forKey(key: TypeKey): DefinedType | undefined {
    return this.#byKey.get(mapKey(key));
  }

  /** Whether values of this name load as inert ones without complaint. */
  isInert(key: TypeKey): boolean {
    return this.#inert.has(mapKey(key));
  }

  /** Where a schema names the class of this prototype, which has no name to be stored under. */
  namedAt(prototype: object): string | undefined {
    return this.#unnamed.get(prototype);
  }

  #isSame(other: TypeTable): boolean {
    return (
      this.#byPrototype.size === other.#byPrototype.size &&
      this.#inert.size === other.#inert.size &&
      this.#unnamed.size === other.#unnamed.size &&
      [...this.#byPrototype].every(
        ([prototype, type]) => other.#byPrototype.get(prototype) === type,
      )
    );
  }
}

/** @throws {@link SerdeError} for two classes under one name */
function indexByKey(types: readonly DefinedType[]): Map<string, DefinedType> {
  const byKey = new Map<string, DefinedType>();
  const isFound = (type: DefinedType): boolean => type.origin === "found";
  // What was found comes last: it steps back where its name is taken.
  for (const type of [...types.filter((type) => !isFound(type)), ...types.filter(isFound)]) {
    const keys = [type.key, ...type.aliases];
    const taken = keys.find((key) => byKey.has(mapKey(key)));
    if (taken !== undefined && isFound(type)) continue;
    if (taken !== undefined)
      throw conflict(
        `Two definitions are named ${keyText(taken)}; give one of them another name or module`,
      );
    for (const key of keys) byKey.set(mapKey(key), type);
  }
  return byKey;
}

/** Which of two definitions of one class holds. */
function preferred(known: DefinedType, type: DefinedType): DefinedType {
  if (type.origin === "found") return known;
  if (known.origin === "found") return type;
  const [first, second] = [keyText(known.key), keyText(type.key)];
  if (first !== second)
    throw conflict(
      `One class is defined as ${first} and as ${second}; keep one, and make the other name an alias`,
    );
  if (type.origin === "named" || isSame(known, type)) return known;
  if (known.origin === "named") return type;
  throw conflict(`Class ${first} is defined twice, in two ways; keep one definition`);
}

function isSame(left: DefinedType, right: DefinedType): boolean {
  return (
    left.dump === right.dump &&
    left.load === right.load &&
    left.version === right.version &&
    isSameList(left.steps, right.steps) &&
    isSameList(left.aliases.map(mapKey), right.aliases.map(mapKey))
  );
}

/** The stored name, for messages. */
export function keyText([module, name]: TypeKey): string {
  return `${module}.${name}`;
}

/** The stored name so that no other pair has the same text. */
function mapKey([module, name]: TypeKey): string {
  return `${module.length}:${module}.${name}`;
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, i) => item === right[i]);
}

function conflict(message: string): SerdeError {
  return new SerdeError({ code: "invalid_options", path: "", message });
}
