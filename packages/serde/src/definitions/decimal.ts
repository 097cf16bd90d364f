import { type DefinedType, defineType } from "../types/definition.ts";

/** A class of decimal numbers that reads what its `valueOf` prints: that of decimal.js. */
export type DecimalClass<T extends object> = new (text: string) => T;

/**
 * `Decimal` of decimal.js, stored as LangGraph for Python stores `decimal.Decimal`: each side reads
 * the other's. Every number is kept exactly, -0, NaN and infinities too; zeros behind the last digit,
 * which only Python's have, are not.
 *
 * @example
 * ```ts
 * import { Decimal } from "decimal.js";
 *
 * const serializer = new MsgpackSerializer({ types: [decimal(Decimal)] });
 * serializer.loads(serializer.dumps(new Decimal("0.1"))); // Decimal 0.1
 * ```
 */
export function decimal<T extends object>(Decimal: DecimalClass<T>): DefinedType<T> {
  return defineType<T, string>({
    module: "decimal",
    name: "Decimal",
    class: Decimal,
    dump: (value) => String(value.valueOf()),
    load: (text) => new Decimal(text),
  });
}
