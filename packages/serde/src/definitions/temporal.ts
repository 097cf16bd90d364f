import { type DefinedType, defineType } from "../types/definition.ts";
import type { AnyClass } from "../types/any-class.ts";

/** One of Temporal's classes. */
export interface TemporalClass {
  readonly prototype: object;
  from(value: never, options?: never): object;
}

/** The classes of Temporal, of the engine or of a polyfill. */
export interface TemporalClasses {
  readonly Duration: TemporalClass;
  readonly Instant: TemporalClass;
  readonly PlainDate: TemporalClass;
  readonly PlainDateTime: TemporalClass;
  readonly PlainMonthDay: TemporalClass;
  readonly PlainTime: TemporalClass;
  readonly PlainYearMonth: TemporalClass;
  readonly ZonedDateTime: TemporalClass;
}

/** Whose text says all that they hold. */
const TEXTUAL = [
  "Instant",
  "PlainDate",
  "PlainDateTime",
  "PlainMonthDay",
  "PlainTime",
  "PlainYearMonth",
] as const;

const UNITS = [
  "years",
  "months",
  "weeks",
  "days",
  "hours",
  "minutes",
  "seconds",
  "milliseconds",
  "microseconds",
  "nanoseconds",
] as const;

/**
 * All of Temporal's classes, to the nanosecond, with time zones and calendars.
 *
 * @example
 * ```ts
 * import { Temporal } from "temporal-polyfill"; // or the engine's own
 *
 * new MsgpackSerializer({ types: [...temporal(Temporal)] });
 * ```
 */
export function temporal(Temporal: TemporalClasses): readonly DefinedType[] {
  const { Duration, ZonedDateTime } = Temporal;
  return [
    ...TEXTUAL.map((name) =>
      define(name, Temporal[name], String, (text: string) => Temporal[name].from(text as never)),
    ),
    // A zone's rules may have changed since: the moment is what was meant.
    define("ZonedDateTime", ZonedDateTime, String, (text: string) =>
      ZonedDateTime.from(text as never, { offset: "use" } as never),
    ),
    // Its text counts milliseconds as parts of seconds: 5000 of them would come back as 5 seconds.
    define(
      "Duration",
      Duration,
      (value) => {
        const units = value as Record<(typeof UNITS)[number], number>;
        return Object.fromEntries(
          UNITS.filter((unit) => units[unit] !== 0).map((unit) => [unit, units[unit]]),
        );
      },
      (fields: Record<string, number>) =>
        Duration.from((Object.keys(fields).length > 0 ? fields : { days: 0 }) as never),
    ),
  ];
}

function define<D>(
  name: string,
  type: TemporalClass,
  dump: (value: object) => D,
  load: (data: D) => object,
): DefinedType {
  const constructor = type as unknown as AnyClass;
  return defineType<object, D>({ name: `Temporal.${name}`, class: constructor, dump, load });
}
