import { SerdeError } from "../errors.ts";
import {
  type AnyClass,
  type DefinedType,
  defineType,
  isDefinedType,
  type TypeKey,
} from "./definition.ts";

/**
 * The classes that may be stored and revived.
 *
 * A record names classes by its property names, which minifiers leave alone. A list holds
 * definitions by {@link defineType}, and `[module, name]` pairs: those load as inert values.
 */
export type Types =
  | Readonly<Record<string, AnyClass | DefinedType>>
  | ReadonlyArray<DefinedType | TypeKey>;

/** Known types by class and by stored name. Immutable; `with` gives a larger one. */
export class TypeTable {
  static readonly EMPTY: TypeTable = new TypeTable([], []);

  readonly #byPrototype = new Map<object, DefinedType>();
  readonly #byKey = new Map<string, DefinedType>();
  readonly #inert = new Map<string, TypeKey>();

  private constructor(definitions: Iterable<DefinedType>, inert: Iterable<TypeKey>) {
    for (const definition of definitions) this.#add(definition);
    for (const key of inert) this.#inert.set(keyText(key), key);
  }

  /** This table and `types`; this same table when they add nothing. */
  with(types: Types): TypeTable {
    const { definitions, inert } = normalize(types);
    const fresh = definitions.filter(
      (definition, i) =>
        !this.#same(definition) &&
        !definitions.slice(0, i).some((other) => isSame(other, definition)),
    );
    const freshInert = inert.filter((key) => !this.#inert.has(keyText(key)));
    if (fresh.length === 0 && freshInert.length === 0) return this;
    return new TypeTable(
      [...this.#byKey.values(), ...fresh],
      [...this.#inert.values(), ...freshInert],
    );
  }

  /** The definition whose instances have this prototype. */
  forPrototype(prototype: object): DefinedType | undefined {
    return this.#byPrototype.get(prototype);
  }

  /** The definition stored under this name. */
  forKey(key: TypeKey): DefinedType | undefined {
    return this.#byKey.get(keyText(key));
  }

  /** Whether values of this name load as inert ones without complaint. */
  isInert(key: TypeKey): boolean {
    return this.#inert.has(keyText(key));
  }

  #same(definition: DefinedType): boolean {
    const known = this.#byKey.get(keyText(definition.key));
    return known !== undefined && isSame(known, definition);
  }

  #add(definition: DefinedType): void {
    const text = keyText(definition.key);
    const prototype = definition.class.prototype as object;
    const other = this.#byKey.get(text);
    if (other !== undefined) {
      throw conflict(`Two definitions are named ${text}; give one of them another name or module`);
    }
    const named = this.#byPrototype.get(prototype);
    if (named !== undefined) {
      throw conflict(`One class is defined as ${keyText(named.key)} and as ${text}; keep one`);
    }
    this.#byKey.set(text, definition);
    this.#byPrototype.set(prototype, definition);
  }
}

function isSame(left: DefinedType, right: DefinedType): boolean {
  return (
    keyText(left.key) === keyText(right.key) &&
    left.class === right.class &&
    left.dump === right.dump &&
    left.load === right.load
  );
}

/** The stored name, for messages and as a map key. */
export function keyText([module, name]: TypeKey): string {
  return `${module}.${name}`;
}

function normalize(types: Types): { definitions: DefinedType[]; inert: TypeKey[] } {
  if (!Array.isArray(types)) {
    const entries = Object.entries(types as Record<string, AnyClass | DefinedType>);
    const definitions = entries.map(([name, type]) =>
      isDefinedType(type) ? type : defineType({ name, class: type }),
    );
    return { definitions, inert: [] };
  }
  const definitions: DefinedType[] = [];
  const inert: TypeKey[] = [];
  for (const type of types as ReadonlyArray<DefinedType | TypeKey>) {
    if (isDefinedType(type)) definitions.push(type);
    else if (isTypeKey(type)) inert.push(type);
    else
      throw conflict(
        "types holds something that is neither a definition nor a [module, name] pair",
      );
  }
  return { definitions, inert };
}

function isTypeKey(value: unknown): value is TypeKey {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((part) => typeof part === "string" && part !== "")
  );
}

function conflict(message: string): SerdeError {
  return new SerdeError({ code: "invalid_options", path: "", message });
}
