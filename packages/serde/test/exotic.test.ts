import { encode, ExtData } from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { isInert, MsgpackSerializer } from "../src/index.ts";
import { caught } from "./caught.ts";

describe("a built-in object without its prototype is refused", () => {
  it.each([
    ["an array", [1]],
    ["a Map", new Map([[1, 2]])],
    ["a Set", new Set([1])],
    ["a Date", new Date(0)],
    ["bytes", new Uint8Array(2)],
    ["a promise", Promise.resolve(1)],
  ])("%s", (_, value) => {
    Object.setPrototypeOf(value, null);
    const error = caught(() => new MsgpackSerializer().dumps({ value }));
    expect(error).toMatchObject({ code: "unsupported_type", path: "value" });
  });
});

it("stores an inert numpy array again that stood open beside references", () => {
  const serializer = new MsgpackSerializer();
  const open = (code: number): ExtData => new ExtData(33, Uint8Array.of(code));
  const array = ["<f4", [2, 2], "C", new Uint8Array(16)];
  const payload = encode(
    new ExtData(32, encode([[open(6), array], new ExtData(34, Uint8Array.of(1))])),
  );
  const [first, second] = serializer.loads(payload) as [unknown, unknown];
  expect(isInert(first)).toBe(true);
  expect(second).toBe(first);
  const again = serializer.loads(serializer.dumps([first])) as [{ contents: unknown }];
  expect(again[0].contents).toEqual((first as { contents: unknown }).contents);
});

describe("BigInts of which the engine hashes the same bits", () => {
  const wide = (count: number): bigint[] =>
    Array.from({ length: count }, (_, i) => (BigInt(i + 1) << 64n) + 7n);

  it.each([
    ["Set", (keys: bigint[]) => new Set(keys)],
    ["Map", (keys: bigint[]) => new Map(keys.map((key) => [key, 1]))],
  ])("count more against the limit: %s", (_, make) => {
    const serializer = new MsgpackSerializer();
    expect(serializer.loads(serializer.dumps(make(wide(1_024))))).toEqual(make(wide(1_024)));
    expect(caught(() => serializer.dumps(make(wide(1_025)))).code).toBe("limit_exceeded");
    const bytes = new MsgpackSerializer({ limits: { maxNumericKeys: 100_000 } }).dumps(
      make(wide(1_025)),
    );
    expect(caught(() => serializer.loads(bytes)).code).toBe("limit_exceeded");
  });
});
