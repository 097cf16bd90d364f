import { HumanMessage } from "@langchain/core/messages";
import { anything, assert, jsonValue, oneof, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assertSerializable,
  MsgpackSerializer,
  NonSerializableStateError,
  scan,
  SerdeError,
} from "../src/index.ts";
import { fill, KINDS, type KindId } from "../src/kinds/kinds.ts";
import { kinds } from "./cases/kinds.ts";
import { refusals } from "./cases/refusals.ts";
import { assertSame } from "./same.ts";

class Money {
  amount = 1n;
}

describe.each(Object.entries(kinds))("%s", (id, [type, value]) => {
  const kind = KINDS[id as KindId];

  it.each(["msgpack", "json"] as const)("is told as the table says (%s)", (profile) => {
    const verdict = kind[profile];
    const found = scan({ at: [value()] }, { profile }).filter((problem) => problem.type === type);
    if (verdict === undefined) return expect(scan({ at: [value()] }, { profile })).toEqual([]);
    const { code, conversion } = verdict;
    expect(found).toContainEqual({
      path: expect.stringMatching(/^at\[0\]/) as string,
      type,
      code,
      message: expect.stringContaining(fill(kind.what, type)) as string,
      conversion: fill(conversion, type),
    });
  });

  it("is told without a word of its content", () => {
    for (const profile of ["msgpack", "json"] as const)
      expect(JSON.stringify(scan(value(), { profile }))).not.toContain("SECRET");
  });
});

describe.each(refusals)("$name", ({ value }) => {
  it("is found as the serializer refuses it, with advice", () => {
    const problems = scan(value());
    const refused = caught(() => new MsgpackSerializer().dumps(value())).problems;
    expect(problems.map(({ code, path }) => [code, path])).toEqual(
      refused.map(({ code, path }) => [code, path]),
    );
    for (const { type, conversion } of problems) {
      expect(type).not.toBe("");
      expect(conversion).not.toBe("");
    }
  });
});

describe("the msgpack profile", () => {
  it("knows the serializer's types, and is strict over a lenient one without telling anybody", () => {
    const events: unknown[] = [];
    const serializer = new MsgpackSerializer({
      types: { Money },
      mode: "lenient",
      onEvent: (event) => events.push(event),
    });
    const problems = scan({ a: new Money(), b: () => 1 }, { serializer });
    expect(problems.map(({ path }) => path)).toEqual(["b"]);
    expect(events).toEqual([]);
  });

  it("tells more than a hundred problems, and those before a bound", () => {
    expect(scan(Array.from({ length: 500 }, () => () => 1))).toHaveLength(500);
    const serializer = new MsgpackSerializer({ limits: { maxDepth: 2 } });
    const problems = scan([() => 1, [[[1]]], () => 1], { serializer });
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ["unsupported_type", "[0]"],
      ["limit_exceeded", "[1][0]"],
    ]);
  });
});

describe("the json profile", () => {
  it("finds every problem in one pass, in Maps and Sets too", () => {
    const value = {
      n: [1, Number.POSITIVE_INFINITY],
      map: new Map<unknown, unknown>([["k", { when: new Date(0) }]]),
      set: new Set([undefined]),
      messages: [new HumanMessage("hi")],
      "\udc00": 1,
    };
    expect(scan(value, { profile: "json" }).map(({ path, type }) => [path, type])).toEqual([
      ["n[1]", "Infinity"],
      ["map", "Map"],
      ['map.get("k").when', "Date"],
      ["set", "Set"],
      ["set.values()[0]", "undefined"],
      ["messages[0]", "HumanMessage"],
      [expect.any(String), "string"],
    ]);
  });

  it("tells a cycle once, and what is shared once", () => {
    const shared = { bad: 1n };
    const value: Record<string, unknown> = { a: shared, b: shared };
    value.self = { value };
    expect(scan(value, { profile: "json" }).map(({ path, message }) => [path, message])).toEqual([
      ["a.bad", "a bigint is not JSON"],
      ["self.value", "an object that holds itself is not JSON"],
    ]);
  });

  it("goes on where a getter throws, and calls each once", () => {
    let calls = 0;
    const value = {
      get a(): unknown {
        throw new Error(`SECRET ${++calls}`);
      },
      get b(): bigint {
        calls++;
        return 1n;
      },
    };
    expect(scan(value, { profile: "json" })).toMatchObject([
      { path: "a", code: "dump_failed" },
      { path: "b", code: "not_json" },
    ]);
    expect(calls).toBe(2);
  });

  it("is deep enough for no stack to end it", () => {
    let value: unknown = 1n;
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(scan(value, { profile: "json" })).toMatchObject([{ code: "limit_exceeded" }]);
  });

  it("passes exactly what JSON keeps", () => {
    const rich = anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    });
    assert(
      property(oneof(jsonValue(), rich), (value) => {
        const clean = scan(value, { profile: "json" }).length === 0;
        expect(clean).toBe(isKeptByJson(value));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("assertSerializable", () => {
  it("throws an error that lists all problems under the given path", () => {
    let error: unknown;
    try {
      assertSerializable({ run: () => 1, cart: new Money() }, "state.order");
    } catch (caught) {
      error = caught;
    }
    expect(NonSerializableStateError.is(error)).toBe(true);
    expect(error).toMatchObject({
      name: "NonSerializableStateError",
      code: "non_serializable_state",
      path: "state.order.run",
      problems: [{ path: "state.order.run" }, { path: "state.order.cart", type: "Money" }],
    });
    expect(String(error)).toContain("types: { Money }");
    expect(() => assertSerializable({ a: new Date() }, "x", { profile: "json" })).toThrow(
      "x.a: a Date is not JSON; store text: value.toISOString()",
    );
  });

  it("lets pass what can be stored", () => {
    expect(assertSerializable({ a: new Date(), b: [undefined, new Map()] })).toBeUndefined();
  });
});

function isKeptByJson(value: unknown): boolean {
  try {
    assertSame({ value: JSON.parse(JSON.stringify(value)) as unknown }, { value });
    return !/"__proto__":|\\ud[89a-f]/.test(JSON.stringify(value));
  } catch {
    return false;
  }
}

function caught(work: () => unknown): SerdeError {
  try {
    work();
  } catch (error) {
    if (SerdeError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
