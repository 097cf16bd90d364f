import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MsgpackSerializer, SerdeError } from "../src/index.ts";
import { rich, tangle } from "./arbitraries.ts";

const serializer = new MsgpackSerializer({ onBlocked: "inert" });
const numRuns = 2_000 * Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);
const tag = fc.constantFrom("json", "msgpack", "msgpack+js", "null", "bytes", "bytearray", "other");

it("answers any bytes under any tag with a value or a SerdeError", () => {
  fc.assert(
    fc.property(tag, fc.uint8Array({ maxLength: 80 }), (tag, bytes) => {
      answer(() => serializer.read(tag, bytes));
    }),
    { numRuns: numRuns * 5 },
  );
});

it("answers damaged payloads with a value or a SerdeError", () => {
  const damage = fc.tuple(fc.constantFrom(...DAMAGES), fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(
      fc.oneof(rich, tangle),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      (value, damages) => {
        let bytes: Uint8Array = serializer.dumps(value);
        for (const [how, at, byte] of damages) bytes = how(bytes, at, byte);
        answer(() => serializer.loads(bytes));
        // What was read of it is a value like any other.
        expect(serializer.loads(serializer.dumps({ a: 1 }))).toStrictEqual({ a: 1 });
      },
    ),
    { numRuns: numRuns * 2 },
  );
});

function answer(work: () => unknown): void {
  let value: unknown;
  try {
    value = work();
  } catch (error) {
    if (!SerdeError.is(error)) throw error;
    return;
  }
  serializer.dumps(value);
}

type Damage = (bytes: Uint8Array, at: number, byte: number) => Uint8Array;

const DAMAGES: Damage[] = [
  function flip(bytes, at, byte) {
    const copy = bytes.slice();
    if (copy.length > 0) copy[at % copy.length] = byte;
    return copy;
  },
  function cut(bytes, at) {
    return bytes.slice(0, at % (bytes.length + 1));
  },
  function insert(bytes, at, byte) {
    const place = at % (bytes.length + 1);
    return Uint8Array.of(...bytes.slice(0, place), byte, ...bytes.slice(place));
  },
  function remove(bytes, at) {
    const place = at % (bytes.length + 1);
    return Uint8Array.of(...bytes.slice(0, place), ...bytes.slice(place + 1));
  },
  function repeat(bytes, at, byte) {
    const place = at % (bytes.length + 1);
    const part = bytes.slice(place, place + (byte % 32));
    return Uint8Array.of(...bytes.slice(0, place), ...part, ...bytes.slice(place));
  },
];
