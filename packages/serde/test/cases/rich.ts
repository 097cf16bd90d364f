import type { Case } from "./case.ts";

/** What JavaScript has beyond JSON. */
export const richCases: Case[] = [
  { name: "undefined", value: () => undefined, hex: "d41000", tag: "msgpack+js" },
  { name: "undefined field beside null", value: () => ({ a: undefined, b: null }) },
  { name: "undefined in an array", value: () => [undefined, null, 1] },
  { name: "hole", value: () => [1, , 3], hex: "9301d4100103" },
  { name: "only holes", value: () => Object.assign([], { length: 3 }) },
  { name: "hole beside undefined", value: () => [, undefined, , null] },
  { name: "hole at the end", value: () => Object.assign([1], { length: 2 }) },
  { name: "negative zero", value: () => -0, hex: "cb8000000000000000", tag: "msgpack" },
  { name: "zeros", value: () => [0, -0, 0] },
  { name: "NaN", value: () => Number.NaN, hex: "cb7ff8000000000000" },
  { name: "infinities", value: () => [Infinity, -Infinity], tag: "msgpack" },

  { name: "BigInt", value: () => 123_456_789_012_345_678_901_234_567_890n },
  { name: "negative BigInt", value: () => -5n, hex: "d3fffffffffffffffb", tag: "msgpack" },
  { name: "zero BigInt", value: () => 0n, hex: "cf0000000000000000" },
  { name: "BigInt of 32 bits", value: () => 4_294_967_295n, hex: "cf00000000ffffffff" },
  {
    name: "BigInts between 32 and 53 bits",
    value: () => [4_294_967_296n, -2_147_483_649n, 9_007_199_254_740_991n, -9_007_199_254_740_991n],
  },
  {
    name: "BigInts around 2^53",
    value: () => [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), -(2n ** 53n) - 1n],
    tag: "msgpack",
  },
  {
    name: "BigInts around 2^63",
    value: () => [2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n],
  },
  { name: "BigInts around 2^64", value: () => [2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n)] },
  { name: "BigInts of whole bytes", value: () => [2n ** 72n, 2n ** 71n, 2n ** 80n - 1n] },
  { name: "BigInt of 10,000 bits", value: () => 2n ** 10_000n - 1n },
  {
    name: "numbers beside their BigInts",
    value: () => [1, 1n, 2 ** 40, 2n ** 40n, 2 ** 60, 2n ** 60n],
  },

  { name: "Date", value: () => new Date(1_700_000_000_123), tag: "msgpack" },
  { name: "Date of a whole second", value: () => new Date(1_700_000_000_000), tag: "msgpack" },
  { name: "Date at the epoch", value: () => new Date(0) },
  { name: "Date before the epoch", value: () => new Date(-1) },
  { name: "Date in the first year", value: () => new Date(-62_135_596_800_000), tag: "msgpack" },
  {
    name: "Date before the first year",
    value: () => new Date(-62_135_596_800_001),
    tag: "msgpack+js",
  },
  {
    name: "Date at the end of year 9999",
    value: () => new Date(253_402_300_799_999),
    tag: "msgpack",
  },
  { name: "Date in year 10000", value: () => new Date(253_402_300_800_000), tag: "msgpack+js" },
  { name: "first and last Date", value: () => [new Date(-8.64e15), new Date(8.64e15)] },
  { name: "invalid Date", value: () => new Date(Number.NaN), hex: "d71a7ff8000000000000" },

  { name: "empty Map", value: () => new Map(), hex: "d41490" },
  {
    name: "Map of text keys",
    value: () =>
      new Map([
        ["a", new Date(0)],
        ["b", new Date(1)],
      ]),
    tag: "msgpack+js",
  },
  {
    name: "Map of integer keys",
    value: () =>
      new Map([
        [1, "x"],
        [2, "y"],
      ]),
    tag: "msgpack",
  },
  {
    name: "Map of mixed plain keys",
    value: () =>
      new Map<unknown, unknown>([
        ["a", 1],
        [2, 2],
        [null, 3],
        [1.5, 4],
      ]),
    tag: "msgpack",
  },
  {
    name: "Map of keys that Python takes for one",
    value: () =>
      new Map<unknown, unknown>([
        [1, "number"],
        [1n, "BigInt"],
        [true, "boolean"],
      ]),
    tag: "msgpack+js",
  },
  {
    name: "Map of keys that look alike as text",
    value: () =>
      new Map<unknown, unknown>([
        [1, "number"],
        ["1", "text"],
      ]),
  },
  {
    name: "Map of booleans",
    value: () =>
      new Map([
        [true, 1],
        [false, 0],
      ]),
  },
  { name: "Map with key NaN", value: () => new Map([[Number.NaN, 1]]) },
  { name: "Map with key undefined", value: () => new Map([[undefined, 1]]) },
  { name: "Map with key __proto__", value: () => new Map([["__proto__", 1]]) },
  {
    name: "Map with mixed keys and __proto__",
    value: () =>
      new Map<unknown, unknown>([
        ["__proto__", 1],
        [1, 2],
        ["\0t", 3],
      ]),
  },
  {
    name: "Map of infinite keys",
    value: () =>
      new Map([
        [Infinity, 1],
        [-Infinity, 2],
      ]),
  },
  {
    name: "Map of large integer keys",
    value: () =>
      new Map<unknown, unknown>([
        [2 ** 40, 1],
        [2n ** 40n, 2],
        [2n ** 60n, 3],
        [-5n, 4],
      ]),
  },
  {
    name: "Map of dates as keys",
    value: () =>
      new Map([
        [new Date(1), 1],
        [new Date(1), 2],
      ]),
    why: "equal, not the same",
  },
  {
    name: "Map of arrays as keys",
    value: () =>
      new Map<unknown, unknown>([
        [[1, 2], "tuple"],
        [[1, 2], "another"],
      ]),
  },
  { name: "Map of records as keys", value: () => new Map([[{ a: 1 }, { b: 2 }]]) },
  { name: "Map in a Map", value: () => new Map([["a", new Map([[1, new Map([["b", 2]])]])]]) },
  { name: "Map of bytes as keys", value: () => new Map([[new Uint8Array([1]), 1]]) },
  {
    name: "Map of 20 keys",
    value: () => new Map(Array.from({ length: 20 }, (_, i) => [i, `${i}`])),
  },
  { name: "empty Set", value: () => new Set(), tag: "msgpack" },
  { name: "Set of text", value: () => new Set(["a", "b"]), tag: "msgpack" },
  { name: "Set of dates", value: () => new Set([new Date(5)]) },
  {
    name: "Set of mixed values",
    value: () =>
      new Set<unknown>([
        1,
        1n,
        true,
        "1",
        null,
        undefined,
        Number.NaN,
        [1],
        { a: 1 },
        new Set([1]),
      ]),
  },
  { name: "Set of large integers", value: () => new Set<unknown>([2 ** 40, 2n ** 60n]) },

  { name: "RegExp", value: () => /a+b/, tag: "msgpack" },
  { name: "RegExp with flags that Python has", value: () => /a.b/ims, tag: "msgpack" },
  { name: "RegExp with flags of its own", value: () => /a/dgimsuy, tag: "msgpack+js" },
  { name: "RegExp with sets", value: () => new RegExp("[a--b]", "v") },
  { name: "RegExp with lastIndex", value: () => Object.assign(/a/g, { lastIndex: 3 }) },
  { name: "RegExp with an odd lastIndex", value: () => Object.assign(/a/g, { lastIndex: -1.5 }) },
  { name: "empty RegExp", value: () => new RegExp("") },
  { name: "RegExp with slashes and line ends", value: () => new RegExp("/\n[/]") },
  { name: "RegExp with text beyond ASCII", value: () => /é数/u },
  { name: "RegExp with a lone surrogate", value: () => new RegExp("\uD800") },
  { name: "URL", value: () => new URL("https://user:pw@example.com:8080/a/b?c=d#e") },
  { name: "URL beyond ASCII", value: () => new URL("https://exämple.com/ü?ö") },

  { name: "Error", value: () => new Error("plain") },
  { name: "Error without message", value: () => new Error() },
  { name: "Error with an empty message", value: () => new Error("") },
  {
    name: "TypeError with cause",
    value: () => new TypeError("bad", { cause: new RangeError("why") }),
  },
  {
    name: "every error class",
    value: () => [
      new EvalError("a"),
      new RangeError("b"),
      new ReferenceError("c"),
      new SyntaxError("d"),
      new TypeError("e"),
      new URIError("f"),
    ],
  },
  {
    name: "Error with a cause that is no error",
    value: () => new Error("x", { cause: { code: 7 } }),
  },
  { name: "Error with an undefined cause", value: () => new Error("x", { cause: undefined }) },
  { name: "AggregateError", value: () => new AggregateError([new TypeError("a"), "b"], "many") },
  {
    name: "Error with own fields",
    value: () => Object.assign(new Error("x"), { code: "ENOENT", errno: -2, at: new Date(3) }),
  },
  {
    name: "Error with its own name",
    value: () => Object.assign(new Error("x"), { name: "AbortError" }),
  },
  {
    name: "Error with a hidden field",
    value: () =>
      Object.defineProperty(new Error("x"), "code", {
        value: 1,
        writable: true,
        configurable: true,
      }),
  },
  {
    name: "Error whose message is a visible field",
    value: () => Object.defineProperty(new Error("x"), "message", { enumerable: true }),
  },
  {
    name: "Error whose message is no text",
    value: () => Object.assign(new Error("x"), { message: { a: 1 } }),
  },
  { name: "Error with an ill-formed message", value: () => new Error("\uD800") },

  {
    name: "bytes",
    value: () => new Uint8Array([0, 1, 200, 255]),
    hex: "c4040001c8ff",
    tag: "msgpack",
  },
  { name: "no bytes", value: () => new Uint8Array(0), hex: "c400" },
  {
    name: "bytes that look like text",
    value: () => [new Uint8Array([0xd9]), "Ù", new Uint8Array(64).fill(0xa1)],
  },
  {
    name: "bytes of all header sizes",
    value: () => [31, 32, 255, 256, 65_535, 65_536].map((size) => new Uint8Array(size).fill(size)),
  },
  {
    name: "text and bytes in turn",
    value: () =>
      [31, 32, 255, 256, 65_535, 65_536].flatMap((size) => [
        "x".repeat(size),
        new Uint8Array(size).fill(0xd9),
      ]),
  },
  { name: "Buffer", value: () => Buffer.from("hello") },
  {
    name: "part of a buffer",
    value: () => new Uint8Array(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2),
    hex: "c4020203",
  },
  { name: "ArrayBuffer", value: () => new Uint8Array([1, 2, 3]).buffer },
  { name: "empty ArrayBuffer", value: () => new ArrayBuffer(0) },
  { name: "DataView", value: () => new DataView(new Uint8Array([1, 2, 3]).buffer) },
  { name: "Uint8ClampedArray", value: () => new Uint8ClampedArray([1, 2, 255]) },
  { name: "embedding", value: () => new Float32Array([0.1, -2.5, 3e10]), tag: "msgpack" },
  {
    name: "every typed array",
    value: () => [
      new Int8Array([-1]),
      new Int16Array([-2, 3]),
      new Uint16Array([4, 65_535]),
      new Int32Array([-5]),
      new Uint32Array([6]),
      new Float32Array([0.5, -0]),
      new Float64Array([0.1, Number.NaN, -0]),
      new BigInt64Array([-7n]),
      new BigUint64Array([8n]),
    ],
  },
  { name: "empty typed array", value: () => new Float64Array(0) },
  {
    name: "typed arrays at odd offsets",
    value: () => ({ a: "x", f: new Float64Array([1.5]), b: "yz", g: new Int32Array([7]) }),
  },

  {
    name: "record without a prototype",
    value: () => Object.assign(Object.create(null) as object, { a: 1 }),
  },
  {
    name: "empty record without a prototype",
    value: () => Object.create(null) as object,
    hex: "c7031691cc01",
  },
  {
    name: "record without a prototype, with __proto__",
    value: () =>
      Object.defineProperty(Object.create(null) as object, "__proto__", {
        value: 1,
        enumerable: true,
        writable: true,
        configurable: true,
      }),
  },
  { name: "lone surrogates", value: () => ["\uD800", "a\uDFFFb", "\uDC00\uD800"] },
  { name: "long text with a lone surrogate", value: () => `${"x".repeat(300)}\uD800` },
  { name: "key with a lone surrogate", value: () => ({ "\uD800": 1, ok: 2 }) },
  {
    name: "getter",
    value: () => Object.defineProperty({}, "n", { get: () => 5, enumerable: true }),
    why: "becomes the value that it gave",
  },
  {
    name: "frozen values",
    value: () =>
      Object.freeze({
        a: Object.freeze([1, Object.freeze({ b: 2 })]),
        d: Object.freeze(new Date(3)),
      }),
  },
];
