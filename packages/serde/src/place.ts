import { inspect } from "node:util";

const BRAND = Symbol.for("threadkeep.serde.place");

/**
 * Where the value lies that belongs here: under the same name in the checkpoint's channels, in the
 * same task's write to that channel, or in a list beside the values; or nowhere, because it is
 * untracked.
 */
export type PlaceSource = "untracked" | "channel" | "write" | number;

/**
 * Stands in the stored args of a `Send` for a value that is not stored there. Savers put the value
 * back on load; elsewhere it prints itself and holds nothing.
 */
export class Place {
  readonly source: PlaceSource;

  constructor(source: PlaceSource) {
    this.source = source;
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
