import { inspect } from "node:util";
import type { TypeKey } from "./types/definition.ts";

const BRAND = Symbol.for("threadkeep.serde.inert");

/** What an {@link InertValue} was read from; enough to write it again unchanged. */
export interface InertSource {
  readonly code: number;
  /** The extension's body as it stood in the payload; undefined in a document with references. */
  readonly body: Uint8Array | undefined;
  /** What the body counts against the limits. */
  readonly measure: { readonly items: number; readonly depth: number };
  /** What stood behind the contents: a method's name, a version. */
  readonly rest: readonly unknown[];
}

/**
 * A stored object that was not revived, because its class is not allowed here or does not exist in
 * JavaScript: it keeps module, name and contents, runs nothing, and is stored again unchanged.
 *
 * @example
 * ```ts
 * const value = serializer.loads(bytesFromPython);
 * if (isInert(value) && value.name === "Decimal") console.log(value.contents); // "12.50"
 * ```
 */
export class InertValue {
  /** The stored module and name. */
  readonly module: string;
  readonly name: string;
  /** What was stored of the object: usually a record of its fields, or its arguments. */
  readonly contents: unknown;

  constructor([module, name]: TypeKey, contents: unknown, source: InertSource) {
    this.module = module;
    this.name = name;
    this.contents = contents;
    Object.defineProperty(this, BRAND, { value: () => source });
  }

  /**
   * The date that a Python `datetime` or `date` stands for, to the millisecond; one without an
   * offset is read as UTC. Undefined for anything else.
   */
  toDate(): Date | undefined {
    const { module, name, contents } = this;
    if (module !== "datetime") return undefined;
    if (name === "datetime" && typeof contents === "string") {
      const zoned = /(?:Z|[+-]\d\d:\d\d(?::\d\d)?)$/.test(contents) ? contents : `${contents}Z`;
      return valid(new Date(zoned.replace(/(\.\d{3})\d+/, "$1")));
    }
    if (name === "date" && Array.isArray(contents)) {
      const [year, month, day] = contents as number[];
      return valid(new Date(Date.UTC(year ?? Number.NaN, (month ?? Number.NaN) - 1, day)));
    }
    return undefined;
  }

  toString(): string {
    return `[inert ${this.module}.${this.name}]`;
  }

  /** Readable, and never taken for the object itself. */
  toJSON(): { inert: string; contents: unknown } {
    return { inert: `${this.module}.${this.name}`, contents: this.contents };
  }

  static {
    Object.defineProperty(this.prototype, inspect.custom, {
      value(this: InertValue, _depth: number, options: object): string {
        return `${this.toString()} ${inspect(this.contents, options)}`;
      },
    });
  }

  /** Like `instanceof`, but also true for values from another copy of this package. */
  static is(value: unknown): value is InertValue {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** Whether a value was loaded without being revived. */
export function isInert(value: unknown): value is InertValue {
  return InertValue.is(value);
}

/** Where an inert value came from, also for one from another copy of this package. */
export function inertSource(value: InertValue): InertSource {
  return (value as unknown as { [BRAND]: () => InertSource })[BRAND]();
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
