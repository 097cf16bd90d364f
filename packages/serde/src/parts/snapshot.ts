import { hasShape, holdsFields, type Layout, Layouts, type Shape } from "./layout.ts";

/** Beyond this a snapshot costs more than it saves. */
const MAX_OBJECTS = 512;
const MAX_FIELDS = 8192;
/** From here on a set finds an object faster than a search. */
const FEW = 24;

/** How a snapshot is taken. */
export interface SnapshotOptions {
  /** The objects were just read: they have no getters that would run. */
  readonly isOwn?: boolean;
  /** Which objects inside of the value are stored apart from it. */
  readonly isApart?: (object: object) => boolean;
  /** The layouts of other snapshots, of which this one may have one too. */
  readonly layouts?: Layouts;
}

/**
 * What a value looked like when it was written or read: as long as it holds, writing the value again
 * gives the same bytes.
 *
 * Objects are held to be the very same ones, so which of them are shared is known too. A key that is
 * a symbol is not looked for: nothing stores one.
 *
 * There are as many of them as messages in memory, so all fields of a value lie in one list, and the
 * names of the fields with those of other values.
 */
export class Snapshot {
  /** Every object in the value; the value itself comes first. */
  readonly objects: readonly object[];
  /** So many of them are not stored apart, nor reached through such a one alone; these come first. */
  readonly ownCount: number;
  readonly #shapes: readonly Shape[];
  readonly #fields: readonly unknown[];

  private constructor(
    objects: readonly object[],
    ownCount: number,
    layout: Layout,
    fields: readonly unknown[],
  ) {
    this.objects = objects;
    this.ownCount = ownCount;
    this.#shapes = layout.shapes;
    this.#fields = fields;
  }

  /** Of plain data and LangChain messages; undefined for what holds anything else, or is too large. */
  static of(
    value: object,
    { isOwn = false, isApart, layouts = new Layouts() }: SnapshotOptions = {},
  ): Snapshot | undefined {
    const objects: object[] = [value];
    const apart: object[] = [];
    const fields: unknown[] = [];
    let ownCount = 0;
    let known: Set<object> | undefined;
    let layout = layouts.first;
    for (let i = 0; i < objects.length; i++) {
      const object = objects[i] as object;
      if (!hasShape(object) || (!isOwn && !isData(object))) return undefined;
      let at = fields.length;
      const next = layouts.next(layout, object, fields);
      if (next === undefined || fields.length + i > MAX_FIELDS) return undefined;
      layout = next;
      for (; at < fields.length; at++) {
        const field = fields[at];
        if (typeof field === "object") {
          if (field === null) continue;
          if (known === undefined && objects.length >= FEW) known = new Set([...objects, ...apart]);
          if (known === undefined ? isIn(field, objects, apart) : known.has(field)) continue;
          known?.add(field);
          const isBehind = isApart !== undefined && ownCount === 0 && isApart(field);
          if ((isBehind ? apart : objects).push(field) > MAX_OBJECTS) return undefined;
        } else if (typeof field === "function" || typeof field === "symbol") return undefined;
      }
      if (ownCount === 0 && i === objects.length - 1) {
        ownCount = objects.length;
        objects.push(...apart);
      }
    }
    // Copies take no more room than they need.
    return new Snapshot(objects.slice(), ownCount, layout, fields.slice());
  }

  /** Whether nothing has changed since, at any depth. */
  holds(): boolean {
    const { objects } = this;
    let at = 0;
    for (let i = 0; i < objects.length; i++) {
      at = holdsFields(objects[i] as object, this.#shapes[i] as Shape, this.#fields, at);
      if (at === -1) return false;
    }
    return true;
  }
}

function isIn(value: object, objects: readonly object[], apart: readonly object[]): boolean {
  return objects.includes(value) || (apart.length > 0 && apart.includes(value));
}

/** No getters, and no symbols where they would be data. */
function isData(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null;
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) {
    if (Object.getOwnPropertySymbols(object).length > 0) return false;
  }
  for (const key of Object.keys(object)) {
    if (Object.getOwnPropertyDescriptor(object, key)?.get !== undefined) return false;
  }
  return true;
}
