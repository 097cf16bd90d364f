import { encode, ExtData } from "@msgpack/msgpack";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { InertValue, MsgpackSerializer } from "../src/index.ts";

const serializer = new MsgpackSerializer();

const two = (max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, "0"));

/** Datetimes as Python writes them, with days and hours that do not exist among them. */
const texts = fc
  .tuple(
    fc.integer({ min: 0, max: 9999 }).map((year) => String(year).padStart(4, "0")),
    two(13),
    two(32),
    two(25),
    two(61),
    two(61),
    fc.constantFrom("", ".000000", ".120000", ".123000", ".123456", ".000001"),
    fc.constantFrom("+00:00", "+00:00", "+01:00", ""),
  )
  .map(
    ([year, month, day, hour, minute, second, fraction, offset]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`,
  );

it("a datetime of Python's is the Date that it says, or stays inert; stored again it is the same", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const body = encode(["datetime", "datetime", text, "fromisoformat"]);
      const bytes = encode(new ExtData(3, body));
      const loaded = serializer.loads(bytes);
      if (loaded instanceof Date) expect(loaded.getTime()).toBe(Date.parse(text));
      else expect(InertValue.is(loaded)).toBe(true);
      const isInUtc = /^(?!0000).{19}(?:\.\d{3}000)?\+00:00$/.test(text);
      const isReal =
        !Number.isNaN(Date.parse(text)) &&
        new Date(text).toISOString().slice(0, 19) === text.slice(0, 19) &&
        !text.includes(".000000");
      expect(loaded instanceof Date).toBe(isInUtc && isReal);
      expect(Buffer.from(serializer.dumps(loaded)).equals(bytes)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
