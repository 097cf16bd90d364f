import { builtinDumps, type Dump, foreignDump } from "../extensions/index.ts";
import { dumpInstance } from "../extensions/class.ts";
import { dumpNullPrototype } from "../extensions/record.ts";
import type { TypeTable } from "../types/type-table.ts";
import type { Writer } from "./writer.ts";

/** Finds how an object is written, by its prototype: one lookup for everything that is common. */
export class DumpTable {
  readonly #dumps: Map<object, Dump>;
  readonly #types: TypeTable;

  constructor(types: TypeTable, errorStacks: boolean) {
    this.#dumps = builtinDumps(errorStacks);
    this.#types = types;
  }

  /** The dump, or undefined when nothing may write this object. */
  find(
    value: object,
    prototype: object | null,
  ): ((value: object, writer: Writer) => void) | undefined {
    if (prototype === null) return dumpNullPrototype;
    const known = this.#dumps.get(prototype);
    if (known !== undefined) return known as (value: object, writer: Writer) => void;
    const type = this.#types.forPrototype(prototype);
    if (type !== undefined) {
      const dump = dumpInstance(type);
      this.#dumps.set(prototype, dump);
      return dump;
    }
    const foreign = foreignDump(value, prototype, this.#dumps);
    if (foreign === "record")
      return (record, writer) => writer.record(record as Record<string, unknown>);
    return foreign as ((value: object, writer: Writer) => void) | undefined;
  }
}
