import { hasShape, type Layout, type Layouts } from "./layout.ts";

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

/** How the objects and fields of one value were added to lists. */
export interface Gathered {
  readonly layout: Layout;
  /** So many of its objects are not stored apart, nor reached through such a one alone; these come first. */
  readonly ownCount: number;
}

/**
 * Add every object in a value, itself first, and all their fields to lists that may hold those of other
 * values. Undefined for a value that is no plain data and no LangChain message, or too large.
 */
export function gather(
  value: object,
  { isOwn = false, isApart, layouts }: SnapshotOptions & { readonly layouts: Layouts },
  objects: object[],
  fields: unknown[],
): Gathered | undefined {
  const start = objects.length;
  const maxFields = fields.length + MAX_FIELDS;
  const apart: object[] = [];
  let ownCount = 0;
  let known: Set<object> | undefined;
  let layout = layouts.first;
  objects.push(value);
  for (let i = start; i < objects.length; i++) {
    const object = objects[i] as object;
    if (!hasShape(object) || (!isOwn && !isData(object))) return undefined;
    let at = fields.length;
    const next = layouts.next(layout, object, fields);
    if (next === undefined || fields.length > maxFields) return undefined;
    layout = next;
    for (; at < fields.length; at++) {
      const field = fields[at];
      if (typeof field === "object") {
        if (field === null) continue;
        if (known === undefined && objects.length - start >= FEW)
          known = new Set([...objects.slice(start), ...apart]);
        if (known === undefined ? isIn(field, objects, start, apart) : known.has(field)) continue;
        known?.add(field);
        const isBehind = isApart !== undefined && ownCount === 0 && isApart(field);
        if ((isBehind ? apart : objects).push(field) > start + MAX_OBJECTS) return undefined;
      } else if (typeof field === "function" || typeof field === "symbol") return undefined;
    }
    if (ownCount === 0 && i === objects.length - 1) {
      ownCount = objects.length - start;
      objects.push(...apart);
    }
  }
  return { layout, ownCount };
}

function isIn(
  value: object,
  objects: readonly object[],
  start: number,
  apart: readonly object[],
): boolean {
  return objects.includes(value, start) || (apart.length > 0 && apart.includes(value));
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
