import { inspect } from "node:util";

const BRAND = Symbol.for("threadkeep.serde.place");

/** Name of an entry beside the values, for what lies nowhere else. */
export type AsideName = `aside:${string}`;

/**
 * Where the value lies that belongs here: under the same name in the checkpoint's channels, in the
 * same task's write to that channel, or in an entry beside the values; or nowhere, because it is
 * untracked.
 */
export type PlaceSource = "untracked" | "channel" | "write" | AsideName;

/** A list that starts like the channel's: so many elements of it, and then these. */
export interface ListTail {
  readonly count: number;
  readonly rest: readonly unknown[];
}

/**
 * Stands in the stored args of a `Send` for a value that is not stored there. Savers put the value
 * back on load; elsewhere it prints itself and holds nothing.
 */
export class Place {
  readonly source: PlaceSource;
  /** Set when the value is a list that goes on after elements of the channel's. */
  readonly tail: ListTail | undefined;

  constructor(source: PlaceSource, tail?: ListTail) {
    this.source = source;
    this.tail = tail;
    Object.defineProperty(this, BRAND, { value: true });
  }

  toString(): string {
    return `[stored elsewhere: ${this.source}]`;
  }

  toJSON(): { place: PlaceSource } {
    return { place: this.source };
  }

  static {
    Object.defineProperty(this.prototype, inspect.custom, {
      value(this: Place): string {
        return this.toString();
      },
    });
  }

  /** Like `instanceof`, but also true for places of another copy of this package. */
  static is(value: unknown): value is Place {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
