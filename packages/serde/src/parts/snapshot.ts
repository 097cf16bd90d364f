import { documentPrototype, MESSAGE_KINDS } from "../langgraph.ts";

/** Beyond this a snapshot costs more than it saves. */
const MAX_OBJECTS = 512;
const MAX_FIELDS = 8192;
/** From here on a set finds an object faster than a search. */
const FEW = 24;

/** Objects whose dump depends on nothing but their own fields. */
const PLAIN: ReadonlySet<object | null> = new Set([
  null,
  Object.prototype,
  documentPrototype,
  ...[...MESSAGE_KINDS.values()].map(({ prototype }) => prototype),
]);

/** What a snapshot is made of. */
interface Taken {
  /** `own` of them come first. */
  readonly objects: object[];
  own: number;
  readonly apart: object[];
  readonly prototypes: (object | null)[];
  readonly keys: (readonly string[] | undefined)[];
  readonly values: (readonly unknown[])[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a value looked like when it was written or read: as long as it holds, writing the value again
 * gives the same bytes.
 *
 * Objects are held to be the very same ones, so which of them are shared is known too. A key that is
 * a symbol is not looked for: nothing stores one.
 */
export class Snapshot {
  /** Every object in the value; the value itself comes first. */
  readonly objects: readonly object[];
  /** Those of them that are not stored apart, nor reached through such a one alone. */
  readonly own: readonly object[];
  /** Those that are stored apart. */
  readonly apart: readonly object[];
  readonly #prototypes: readonly (object | null)[];
  /** Names of each object's fields; none for lists and dates. */
  readonly #keys: readonly (readonly string[] | undefined)[];
  readonly #values: readonly (readonly unknown[])[];

  private constructor(taken: Taken) {
    const { objects, own, apart, prototypes, keys, values } = taken;
    this.objects = objects;
    this.own = own === objects.length ? objects : objects.slice(0, own);
    this.apart = apart;
    this.#prototypes = prototypes;
    this.#keys = keys;
    this.#values = values;
  }

  /**
   * Of plain data and LangChain messages; undefined for what holds anything else, or is too large.
   * `isOwn` says that the objects were just read, and have no getters that would run; `isApart`
   * which objects inside of the value are stored apart from it.
   */
  static of(
    value: object,
    isOwn = false,
    isApart?: (object: object) => boolean,
  ): Snapshot | undefined {
    const taken: Taken = {
      objects: [value],
      own: 0,
      apart: [],
      prototypes: [],
      keys: [],
      values: [],
    };
    const { objects, apart, prototypes, keys, values } = taken;
    let known: Set<unknown> | undefined;
    let total = 0;
    for (let i = 0; i < objects.length; i++) {
      const object = objects[i] as object;
      const prototype = Object.getPrototypeOf(object) as object | null;
      const fields = isOwn || isData(object, prototype) ? fieldsOf(object, prototype) : undefined;
      if (fields === undefined) return undefined;
      prototypes.push(prototype);
      keys.push(PLAIN.has(prototype) ? Object.keys(object) : undefined);
      total += values.push(fields) + fields.length;
      if (total > MAX_FIELDS) return undefined;
      for (let k = 0; k < fields.length; k++) {
        const field = fields[k];
        if (typeof field === "object") {
          if (field === null) continue;
          if (known === undefined && objects.length >= FEW) known = new Set([...objects, ...apart]);
          if (known === undefined ? isIn(field, objects, apart) : known.has(field)) continue;
          known?.add(field);
          const isBehind = isApart !== undefined && taken.own === 0 && isApart(field);
          if ((isBehind ? apart : objects).push(field) > MAX_OBJECTS) return undefined;
        } else if (typeof field === "function" || typeof field === "symbol") return undefined;
      }
      if (taken.own === 0 && i === objects.length - 1) {
        taken.own = objects.length;
        objects.push(...apart);
      }
    }
    return new Snapshot(taken);
  }

  /** Whether nothing has changed since, at any depth. */
  holds(): boolean {
    const { objects } = this;
    for (let i = 0; i < objects.length; i++) {
      const object = objects[i] as object;
      const keys = this.#keys[i];
      const values = this.#values[i] as readonly unknown[];
      if (Object.getPrototypeOf(object) !== this.#prototypes[i]) return false;
      if (keys !== undefined) {
        if (!holdsFields(object as Fields, keys, values)) return false;
      } else if (Array.isArray(object)) {
        if (!holdsList(object, values)) return false;
      } else if (!Object.is(Date.prototype.getTime.call(object), values[0])) return false;
    }
    return true;
  }
}

function holdsFields(object: Fields, keys: readonly string[], values: readonly unknown[]): boolean {
  let i = 0;
  // The fastest way through an object; what it also finds, inherited keys, only makes it differ.
  for (const key in object) {
    if (key !== keys[i] || !Object.is(object[key], values[i])) return false;
    i++;
  }
  return i === keys.length;
}

function holdsList(list: readonly unknown[], values: readonly unknown[]): boolean {
  if (list.length !== values.length) return false;
  for (let i = 0; i < values.length; i++) if (!Object.is(list[i], values[i])) return false;
  return isDense(list);
}

function isIn(value: object, objects: readonly object[], apart: readonly object[]): boolean {
  return objects.includes(value) || apart.includes(value);
}

/** The fields, items or time of an object; undefined when it is of no plain kind. */
function fieldsOf(object: object, prototype: object | null): readonly unknown[] | undefined {
  if (PLAIN.has(prototype)) return Object.values(object);
  if (prototype === Array.prototype && Array.isArray(object))
    return object.length <= MAX_FIELDS && isDense(object) ? object.slice() : undefined;
  if (prototype !== Date.prototype || Object.keys(object).length > 0) return undefined;
  return [Date.prototype.getTime.call(object)];
}

/** Without holes and without other keys. */
function isDense(list: readonly unknown[]): boolean {
  return Object.keys(list).length === list.length;
}

/** No getters, and no symbols where they would be data. */
function isData(object: object, prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) {
    if (Object.getOwnPropertySymbols(object).length > 0) return false;
  }
  for (const key of Object.keys(object)) {
    if (Object.getOwnPropertyDescriptor(object, key)?.get !== undefined) return false;
  }
  return true;
}
