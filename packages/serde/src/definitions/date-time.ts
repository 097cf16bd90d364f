import { type DefinedType, defineType } from "../types/definition.ts";
import type { AnyClass } from "../types/any-class.ts";

/** Luxon's `DateTime`, as far as it is used here. */
interface DateTimeLike {
  readonly isValid: boolean;
  readonly invalidReason: string | null;
  readonly invalidExplanation: string | null;
  readonly zone: { readonly name: string; readonly type: string };
  readonly locale: string | null;
  readonly numberingSystem: string | null;
  readonly outputCalendar: string | null;
  toMillis(): number;
}

/** Luxon's `DateTime` class. */
export interface DateTimeClass<T extends object> {
  readonly prototype: T;
  fromMillis(milliseconds: number, options?: never): object;
  invalid(reason: never, explanation?: never): object;
}

interface Stored {
  readonly ms: number;
  readonly zone: string;
  readonly locale: string | null;
  readonly numberingSystem: string | null;
  readonly outputCalendar: string | null;
}

/**
 * `DateTime` of luxon, with its zone, locale, numbering system and calendar; invalid ones with their
 * reason. One in the system's zone comes back in the zone of the system that loads it.
 *
 * @example
 * ```ts
 * import { DateTime } from "luxon";
 *
 * new MsgpackSerializer({ types: [dateTime(DateTime)] });
 * ```
 */
export function dateTime<T extends object>(DateTime: DateTimeClass<T>): DefinedType<T> {
  return defineType<T, Stored | readonly (string | null)[]>({
    name: "luxon.DateTime",
    class: DateTime as unknown as AnyClass<T>,
    dump: (value) => toStored(value as unknown as DateTimeLike),
    load: (stored) => fromStored(DateTime, stored) as T,
  });
}

function toStored(value: DateTimeLike): Stored | readonly (string | null)[] {
  if (!value.isValid) return [value.invalidReason, value.invalidExplanation];
  const { locale, numberingSystem, outputCalendar, zone } = value;
  return {
    ms: value.toMillis(),
    zone: zone.type === "system" ? "system" : zone.name,
    locale,
    numberingSystem,
    outputCalendar,
  };
}

function fromStored<T extends object>(
  DateTime: DateTimeClass<T>,
  stored: Stored | readonly (string | null)[],
): object {
  if (isInvalid(stored)) {
    const [reason, explanation] = stored;
    return DateTime.invalid(reason as never, (explanation ?? undefined) as never);
  }
  const { ms, ...options } = stored;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return DateTime.fromMillis(ms, Object.fromEntries(given) as never);
}

function isInvalid(
  stored: Stored | readonly (string | null)[],
): stored is readonly (string | null)[] {
  return Array.isArray(stored);
}
