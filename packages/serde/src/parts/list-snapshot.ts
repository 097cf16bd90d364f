import { gather, type Gathered, type SnapshotOptions } from "./gather.ts";
import { holdsFields, Layouts, type Shape } from "./layout.ts";
import { Snapshot } from "./snapshot.ts";

/**
 * The snapshots of the items of a list, taken together: the lists of all their objects and fields are
 * one each, which takes less memory and is gone through faster than one list for each item.
 */
export class ListSnapshot {
  /** Every object in the items, item by item; each item comes before what is in it. */
  readonly objects: readonly object[];
  readonly #fields: readonly unknown[];
  readonly #items: readonly Item[];

  private constructor(
    objects: readonly object[],
    fields: readonly unknown[],
    items: readonly Item[],
  ) {
    this.objects = objects;
    this.#fields = fields;
    this.#items = items;
  }

  /** Undefined when one of the items has no snapshot, or holds what is stored apart. */
  static of(items: readonly object[], options: SnapshotOptions = {}): ListSnapshot | undefined {
    const objects: object[] = [];
    const fields: unknown[] = [];
    const found: Item[] = [];
    const { layouts = new Layouts() } = options;
    for (const item of items) {
      const start = objects.length;
      const fieldStart = fields.length;
      const gathered = gather(item, { ...options, layouts }, objects, fields);
      if (gathered === undefined || gathered.ownCount < objects.length - start) return undefined;
      found.push({ start, fieldStart, gathered });
    }
    return new ListSnapshot(objects.slice(), fields.slice(), found);
  }

  /** Whether nothing has changed since in any of the items, at any depth. */
  holds(): boolean {
    const { objects } = this;
    let at = 0;
    let object = 0;
    for (const { gathered } of this.#items) {
      for (const shape of gathered.layout.shapes as readonly Shape[]) {
        at = holdsFields(objects[object++] as object, shape, this.#fields, at);
        if (at === -1) return false;
      }
    }
    return true;
  }

  /** The snapshot of one item. */
  at(index: number): Snapshot {
    const { start, fieldStart, gathered } = this.#items[index] as Item;
    const next = this.#items[index + 1];
    return new Snapshot(
      this.objects.slice(start, next?.start),
      this.#fields.slice(fieldStart, next?.fieldStart),
      gathered,
    );
  }

  /** In which item the object stands that has a place in {@link objects}. */
  itemOf(place: number): number {
    let index = this.#items.length - 1;
    while ((this.#items[index] as Item).start > place) index--;
    return index;
  }
}

/** Where an item's objects and fields begin, and how they were found. */
interface Item {
  readonly start: number;
  readonly fieldStart: number;
  readonly gathered: Gathered;
}
