import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MsgpackSerializer, SerdeError } from "../src/index.ts";
import { json, rich, tangle } from "./arbitraries.ts";
import { assertSame } from "./same.ts";

const serializer = new MsgpackSerializer();
/** Set to run longer; failures print the seed. */
const numRuns = 2_000 * Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

it("gives back any JSON as it was, whatever its keys", () => {
  fc.assert(
    fc.property(json, (value) => {
      const before = JSON.stringify(value);
      const bytes = serializer.dumps(value);
      assertSame(serializer.loads(bytes), value);
      expect(JSON.stringify(value)).toBe(before);
    }),
    { numRuns },
  );
});

it("gives back any value of the kinds it keeps, and stores it again as the same bytes", () => {
  fc.assert(
    fc.property(rich, (value) => {
      const bytes = serializer.dumps(value);
      const loaded = serializer.loads(bytes);
      assertSame(loaded, value);
      expect(Buffer.from(serializer.dumps(loaded)).equals(bytes)).toBe(true);
    }),
    { numRuns },
  );
});

it("keeps what is the same object, and cycles", () => {
  fc.assert(
    fc.property(tangle, (value) => {
      const bytes = serializer.dumps(value);
      const loaded = serializer.loads(bytes);
      assertSame(loaded, value);
      expect(Buffer.from(serializer.dumps(loaded)).equals(bytes)).toBe(true);
    }),
    { numRuns },
  );
});

it("keeps what is shared among values of any kind", () => {
  fc.assert(
    fc.property(fc.tuple(rich, rich, rich), ([a, b, c]) => {
      const shared = { b };
      const value = [a, shared, new Map([[c, shared]]), { c, again: [shared, a] }];
      assertSame(serializer.loads(serializer.dumps(value)), value);
    }),
    { numRuns: numRuns / 4 },
  );
});

it("loads what it dumped under the same limits, or does not dump it", () => {
  const limits = fc.record({
    maxDepth: fc.integer({ min: 1, max: 12 }),
    maxItems: fc.integer({ min: 1, max: 60 }),
    maxBytes: fc.integer({ min: 1, max: 400 }),
    maxNumericKeys: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.oneof(rich, tangle, json), limits, (value, limits) => {
      const bound = new MsgpackSerializer({ limits });
      const free = serializer.dumps(value);
      expect(outcome(() => bound.loads(free))).toBe(outcome(() => bound.dumps(value)));
    }),
    { numRuns },
  );
});

function outcome(work: () => unknown): string {
  try {
    work();
    return "ok";
  } catch (error) {
    if (SerdeError.is(error)) return error.code;
    throw error;
  }
}
