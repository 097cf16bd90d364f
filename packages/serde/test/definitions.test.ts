import { ObjectId } from "bson";
import { Decimal } from "decimal.js";
import {
  assert,
  bigInt,
  constantFrom,
  date,
  double,
  integer,
  oneof,
  property,
  record,
} from "fast-check";
import { DateTime } from "luxon";
import { Temporal } from "temporal-polyfill/full";
import { describe, expect, it } from "vitest";
import { dateTime, decimal, objectId, temporal } from "../src/definitions/index.ts";
import { isInert, MsgpackSerializer } from "../src/index.ts";

const serializer = new MsgpackSerializer({
  types: [decimal(Decimal), dateTime(DateTime), objectId(ObjectId), ...temporal(Temporal)],
  verifyOnWrite: true,
});

function kept<T>(value: T): T {
  return (serializer.loads(serializer.dumps({ value })) as { value: T }).value;
}

describe("decimal", () => {
  it("keeps every number", () => {
    const digits = bigInt().map(String);
    const text = oneof(
      record({ digits, exponent: integer({ min: -400, max: 400 }) }).map(
        ({ digits, exponent }) => `${digits}e${exponent}`,
      ),
      double().map(String),
      constantFrom("-0", "NaN", "Infinity", "-Infinity", "0.1"),
    );
    assert(
      property(text, (text) => {
        const value = new Decimal(text);
        const loaded = kept(value);
        expect(loaded).toBeInstanceOf(Decimal);
        expect(loaded.valueOf()).toBe(value.valueOf());
      }),
    );
  });

  it("is Python's Decimal on the wire", async () => {
    const [tag, bytes] = await serializer.dumpsTyped(new Decimal("12.5"));
    expect(tag).toBe("msgpack");
    const inert = new MsgpackSerializer().loads(bytes);
    expect(isInert(inert) && [inert.module, inert.name, inert.contents]).toEqual([
      "decimal",
      "Decimal",
      "12.5",
    ]);
    expect(serializer.loads(new MsgpackSerializer().dumps(inert))).toEqual(new Decimal("12.5"));
  });
});

describe("dateTime", () => {
  it("keeps the moment, and what it looks like", () => {
    const options = record(
      {
        zone: constantFrom("utc", "system", "Europe/Berlin", "America/New_York", "UTC+5:30"),
        locale: constantFrom("de", "en-US", "ar"),
        numberingSystem: constantFrom("latn", "beng"),
        outputCalendar: constantFrom("gregory", "islamic"),
      },
      { requiredKeys: ["zone"] },
    );
    // At the ends of JavaScript's dates luxon itself goes astray.
    const dates = date({ noInvalidDate: true, min: new Date(-8.6e15), max: new Date(8.6e15) });
    assert(
      property(dates, options, (at, { zone, ...rest }) => {
        const value = DateTime.fromMillis(at.getTime(), { zone }).reconfigure(rest as object);
        const loaded = kept(value);
        expect(loaded).toBeInstanceOf(DateTime);
        expect(loaded.equals(value)).toBe(true);
        expect(loaded.zone.type).toBe(value.zone.type);
        expect(loaded.toISO()).toBe(value.toISO());
      }),
    );
  });

  it("keeps why one is invalid", () => {
    const loaded = kept(DateTime.invalid("because", "it is"));
    expect([loaded.isValid, loaded.invalidReason, loaded.invalidExplanation]).toEqual([
      false,
      "because",
      "it is",
    ]);
  });
});

it("objectId keeps the id", () => {
  const value = new ObjectId();
  expect(kept(value)).toBeInstanceOf(ObjectId);
  expect(kept(value).equals(value)).toBe(true);
});

describe("temporal", () => {
  it.each<[string, { toString(): string }]>([
    ["Instant", Temporal.Instant.fromEpochNanoseconds(123_456_789_012_345_678n)],
    ["PlainDate", Temporal.PlainDate.from("2024-02-29")],
    ["PlainDate of another calendar", Temporal.PlainDate.from("2024-02-29[u-ca=hebrew]")],
    ["PlainDateTime", Temporal.PlainDateTime.from("2024-02-29T12:34:56.789012345")],
    ["PlainMonthDay", Temporal.PlainMonthDay.from("02-29")],
    ["PlainMonthDay of another calendar", Temporal.PlainMonthDay.from("1972-03-05[u-ca=hebrew]")],
    ["PlainTime", Temporal.PlainTime.from("12:34:56.789012345")],
    ["PlainYearMonth", Temporal.PlainYearMonth.from("2024-02")],
    ["ZonedDateTime", Temporal.ZonedDateTime.from("2024-10-27T02:30:00+01:00[Europe/Berlin]")],
    [
      "ZonedDateTime, the hour before",
      Temporal.ZonedDateTime.from("2024-10-27T02:30:00+02:00[Europe/Berlin]"),
    ],
  ])("keeps a %s", (_, value) => {
    const loaded = kept(value);
    expect(Object.getPrototypeOf(loaded)).toBe(Object.getPrototypeOf(value));
    expect(String(loaded)).toBe(String(value));
  });

  it("keeps the units of a Duration", () => {
    const amount = integer({ min: 0, max: 1_000_000 });
    const units = record(
      { years: amount, weeks: amount, hours: amount, milliseconds: amount, nanoseconds: amount },
      { requiredKeys: [] },
    );
    assert(
      property(units, constantFrom(1, -1), (fields, sign) => {
        const signed = Object.fromEntries(
          Object.entries({ days: 0, ...fields }).map(([unit, value]) => [unit, sign * value + 0]),
        );
        const value = Temporal.Duration.from(signed);
        const loaded = kept(value);
        expect(loaded.milliseconds).toBe(value.milliseconds);
        expect(loaded.toString()).toBe(value.toString());
      }),
    );
  });
});
