import { gather, type Gathered, type SnapshotOptions } from "./gather.ts";
import { holdsFields, Layouts, type Shape } from "./layout.ts";

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

  constructor(
    objects: readonly object[],
    fields: readonly unknown[],
    { layout, ownCount }: Gathered,
  ) {
    this.objects = objects;
    this.ownCount = ownCount;
    this.#shapes = layout.shapes;
    this.#fields = fields;
  }

  /** Of plain data and LangChain messages; undefined for what holds anything else, or is too large. */
  static of(value: object, options: SnapshotOptions = {}): Snapshot | undefined {
    const objects: object[] = [];
    const fields: unknown[] = [];
    const { layouts = new Layouts() } = options;
    const gathered = gather(value, { ...options, layouts }, objects, fields);
    // Copies take no more room than they need.
    return gathered && new Snapshot(objects.slice(), fields.slice(), gathered);
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
