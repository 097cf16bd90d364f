import { dumpInstance } from "../extensions/class.ts";
import { builtinDumps, foreignDump } from "../extensions/index.ts";
import { dumpNullPrototype } from "../extensions/record.ts";
import type { TypeTable } from "../types/type-table.ts";
import type { ValueWriter } from "../extensions/value-writer.ts";

/** Writes one object. */
export type Dump = (value: object, writer: ValueWriter) => void;

/** Finds how an object is written, by its prototype: one lookup for everything that is common. */
export class DumpTable {
  readonly #dumps: Map<object, Dump>;
  readonly #types: TypeTable;
  readonly #errorStacks: boolean;

  constructor(types: TypeTable, errorStacks: boolean) {
    this.#dumps = builtinDumps(errorStacks) as Map<object, Dump>;
    this.#types = types;
    this.#errorStacks = errorStacks;
  }

  /** The dump, or undefined when nothing may write this object. */
  find(value: object, prototype: object | null): Dump | undefined {
    if (prototype === null) return dumpNullPrototype;
    const known = this.#dumps.get(prototype);
    if (known !== undefined) return known;
    const type = this.#types.forPrototype(prototype);
    if (type !== undefined) {
      const dump = dumpInstance(type, this.#errorStacks);
      this.#dumps.set(prototype, dump);
      return dump;
    }
    return foreignDump(value, prototype, this.#dumps) as Dump | undefined;
  }

  /** Where a schema names the class of an object that has no dump. */
  namedAt(value: unknown): string | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    const prototype = Object.getPrototypeOf(value) as object | null;
    return prototype === null ? undefined : this.#types.namedAt(prototype);
  }

  /** The dump of the nearest class that this one extends; undefined when it extends none that is known. */
  findBase(value: object, prototype: object): Dump | undefined {
    for (
      let at = Object.getPrototypeOf(prototype) as object | null;
      at !== null && at !== Object.prototype;
      at = Object.getPrototypeOf(at) as object | null
    ) {
      const dump = this.find(value, at);
      if (dump !== undefined) return dump;
    }
    return undefined;
  }
}
