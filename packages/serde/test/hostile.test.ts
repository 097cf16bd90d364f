import { decode, encode } from "@msgpack/msgpack";
import { describe, expect, it } from "vitest";
import { MsgpackSerializer, SerdeError } from "../src/index.ts";
import { caught } from "./caught.ts";
import { hostile } from "./hostile.ts";

const serializer = new MsgpackSerializer();

describe("a hostile payload", () => {
  it.each(hostile)("is refused at once: $name", ({ bytes }) => {
    const payload = bytes();
    const start = performance.now();
    const error = caught(() => serializer.loads(payload));
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(["malformed_payload", "limit_exceeded", "type_not_allowed"]).toContain(error.code);
    expect(serializer.loads(serializer.dumps([1]))).toStrictEqual([1]);
  });

  it("cut anywhere is malformed", () => {
    const bytes = serializer.dumps({
      a: [1, "xyz", new Date(5), new Map([[1, 2n ** 70n]])],
      b: new Uint8Array(3),
    });
    for (let end = 1; end < bytes.length; end++)
      expect(caught(() => serializer.loads(bytes.slice(0, end))).code).toBe("malformed_payload");
  });

  it("with a key twice gives the last one", () => {
    expect(serializer.loads(Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2))).toStrictEqual({
      a: 2,
    });
  });

  it("with a key named __proto__ changes no prototype", () => {
    const loaded = serializer.loads(
      encode({ ["__proto__"]: 1, a: { constructor: { prototype: 1 } } }),
    ) as object;
    expect(Object.getPrototypeOf(loaded)).toBe(Object.prototype);
    const proto = serializer.loads(
      Uint8Array.of(0x81, 0xa9, ...Buffer.from("__proto__"), 0x81, 0xa1, 0x78, 1),
    ) as object;
    expect(Object.keys(proto)).toStrictEqual(["__proto__"]);
    expect((proto as { x?: number }).x).toBeUndefined();
  });

  it("that names a method or a global runs nothing", () => {
    const method = encodeExtension(3, ["datetime", "datetime", "x", "constructor"]);
    expect(
      caught(() =>
        new MsgpackSerializer({ onBlocked: "throw" }).loads(
          encodeExtension(0, ["builtins", "eval", "1"]),
        ),
      ).code,
    ).toBe("type_not_allowed");
    expect(String(serializer.loads(method))).toBe("[inert datetime.datetime]");
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(caught(() => serializer.loads(encodeExtension(2, ["js", name, {}]))).code).toBe(
        "type_not_allowed",
      );
      expect(
        SerdeError.is(
          caught(() =>
            serializer.loads(encodeExtension(5, ["langchain_core.messages.ai", name, {}, "m"])),
          ),
        ),
      ).toBe(true);
    }
  });
});

describe("the library", () => {
  it("reads what we write where no extension is in it, and we read what it writes", () => {
    const value = {
      a: [1, -1, 1.5, 300, 70_000, 2 ** 31, "é🚀", null, true, { b: new Uint8Array([1]) }],
      "": [],
    };
    expect(decode(serializer.dumps(value))).toStrictEqual(value);
    expect(serializer.loads(encode(value))).toStrictEqual(value);
  });
});

function encodeExtension(code: number, content: unknown): Uint8Array {
  const body = encode(content);
  return Uint8Array.of(0xc8, body.length >> 8, body.length & 0xff, code, ...body);
}
