import { types } from "node:util";
import { documentPrototype, MESSAGE_KINDS } from "../langgraph.ts";

/** Objects whose dump depends on nothing but their own fields. */
const PLAIN: ReadonlySet<object | null> = new Set([
  null,
  Object.prototype,
  documentPrototype,
  ...[...MESSAGE_KINDS.values()].map(({ prototype }) => prototype),
]);

/** Longer lists cost more to look at than they save. */
const MAX_ITEMS = 8192;
/** Layouts that are known to follow one, and all of them together. */
const MAX_NEXT = 8;
const MAX_LAYOUTS = 10_000;
/** Records with more keys have them to themselves. */
const MAX_KEYS = 64;

/** What the fields of an object are read by: its keys; none for lists and dates. */
export interface Shape {
  readonly prototype: object | null;
  readonly keys: readonly string[] | undefined;
}

/** The shapes of the objects of a value, in the order in which it is gone through. */
export class Layout {
  readonly #shape: Shape | undefined;
  readonly #before: Layout | undefined;
  readonly #next: Layout[] = [];
  #replaced = 0;
  #shapes: readonly Shape[] | undefined;

  constructor(shape?: Shape, before?: Layout) {
    this.#shape = shape;
    this.#before = before;
  }

  get shapes(): readonly Shape[] {
    return (this.#shapes ??= Layout.#chain(this));
  }

  /**
   * The layout with one more object that may have a shape, whose fields are added to `fields`.
   * Undefined for an object that has more than its fields. `tell` is told of each layout that is new.
   */
  with(object: object, fields: unknown[], tell: () => void): Layout | undefined {
    const prototype = Object.getPrototypeOf(object) as object | null;
    for (const next of this.#next)
      if (next.#shape?.prototype === prototype && addFields(object, next.#shape, fields))
        return next;
    const shape = shapeOf(object, prototype);
    if (!addFields(object, shape, fields)) return undefined;
    const next = new Layout(shape, this);
    tell();
    if (shape.keys !== undefined && shape.keys.length > MAX_KEYS) return next;
    if (this.#next.length < MAX_NEXT) this.#next.push(next);
    else this.#next[this.#replaced++ % MAX_NEXT] = next;
    return next;
  }

  static #chain(last: Layout): Shape[] {
    const shapes: Shape[] = [];
    for (let at: Layout | undefined = last; at !== undefined; at = at.#before)
      if (at.#shape !== undefined) shapes.push(at.#shape);
    return shapes.reverse();
  }
}

/** The layouts that values were found to have. Messages have a few: none of them needs its own. */
export class Layouts {
  #first: Layout = new Layout();
  #count = 0;
  readonly #tell = (): void => void this.#count++;

  get first(): Layout {
    if (this.#count > MAX_LAYOUTS) {
      this.#first = new Layout();
      this.#count = 0;
    }
    return this.#first;
  }

  next(layout: Layout, object: object, fields: unknown[]): Layout | undefined {
    return layout.with(object, fields, this.#tell);
  }
}

/** Whether an object may have a shape; says no at once to what is large and has none. */
export function hasShape(object: object): boolean {
  const prototype = Object.getPrototypeOf(object) as object | null;
  if (prototype === Array.prototype) return Array.isArray(object) && object.length <= MAX_ITEMS;
  return PLAIN.has(prototype) || (prototype === Date.prototype && types.isDate(object));
}

/** Whether an object's fields are still those that begin at `at`; gives where they end, or -1. */
export function holdsFields(
  object: object,
  { prototype, keys }: Shape,
  fields: readonly unknown[],
  at: number,
): number {
  if (Object.getPrototypeOf(object) !== prototype) return -1;
  if (keys !== undefined) {
    let i = 0;
    // The fastest way through an object; what it also finds, inherited keys, only makes it differ.
    for (const key in object) {
      if (key !== keys[i] || !Object.is((object as Fields)[key], fields[at + i])) return -1;
      i++;
    }
    return i === keys.length ? at + i : -1;
  }
  if (!Array.isArray(object)) {
    // A date with keys of its own is refused.
    for (const _ in object) return -1;
    return Object.is(Date.prototype.getTime.call(object), fields[at]) ? at + 1 : -1;
  }
  const { length } = object;
  if (length !== fields[at]) return -1;
  for (let i = 0; i < length; i++) if (!Object.is(object[i], fields[at + 1 + i])) return -1;
  return isDense(object) ? at + 1 + length : -1;
}

type Fields = Readonly<Record<string, unknown>>;

function shapeOf(object: object, prototype: object | null): Shape {
  return { prototype, keys: PLAIN.has(prototype) ? Object.keys(object) : undefined };
}

/** Add the fields, length and items, or time of an object. False, and nothing is added, for another shape. */
function addFields(object: object, { keys }: Shape, fields: unknown[]): boolean {
  if (keys === undefined) return addItems(object, fields);
  const start = fields.length;
  let i = 0;
  for (const key in object) {
    if (key !== keys[i++]) {
      fields.length = start;
      return false;
    }
    fields.push((object as Fields)[key]);
  }
  if (i === keys.length) return true;
  fields.length = start;
  return false;
}

function addItems(object: object, fields: unknown[]): boolean {
  if (!Array.isArray(object)) {
    if (Object.keys(object).length > 0) return false;
    fields.push(Date.prototype.getTime.call(object));
    return true;
  }
  if (!isDense(object)) return false;
  fields.push(object.length);
  for (let i = 0; i < object.length; i++) fields.push(object[i]);
  return true;
}

/** Without holes and without other keys. */
function isDense(list: readonly unknown[]): boolean {
  if (list.length > 0) return Object.keys(list).length === list.length;
  // Most lists in messages are empty, and this takes no call into the engine.
  for (const _ in list) return false;
  return true;
}
