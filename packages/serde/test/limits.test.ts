import { HumanMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { defineType, MsgpackSerializer } from "../src/index.ts";
import { caught } from "./caught.ts";

class Node {
  next: unknown;
  constructor(next: unknown) {
    this.next = next;
  }
}

class Leaf {
  next: unknown;
  constructor(next: unknown) {
    this.next = next;
  }
}

const leaf = defineType({
  name: "Leaf",
  class: Leaf,
  dump: ({ next }) => [next],
  load: ([next]) => new Leaf(next),
});
const node = defineType({ name: "Node", class: Node });

/** One more level around a value, in every way there is. */
const levels: Record<string, (inner: unknown) => unknown> = {
  array: (inner) => [inner],
  record: (inner) => ({ a: inner }),
  "record with __proto__": (inner) => {
    const record = JSON.parse('{"__proto__":1}') as Record<string, unknown>;
    record.a = inner;
    return record;
  },
  "record without prototype": (inner) => Object.assign(Object.create(null) as object, { a: inner }),
  "Map value": (inner) => new Map([["a", inner]]),
  "Map key": (inner) => new Map([[inner, 1]]),
  "native Map": (inner) => new Map([[1, inner]]),
  Set: (inner) => new Set([inner]),
  "error cause": (inner) => new Error("x", { cause: inner }),
  message: (inner) => new HumanMessage({ content: "x", additional_kwargs: { a: inner } as never }),
  "message field": (inner) => Object.assign(new HumanMessage("x"), { a: inner }),
  Send: (inner) => Object.assign(new Send("n", {}), { args: inner }),
  class: (inner) => new Node(inner),
  "class with load": (inner) => new Leaf(inner),
};

function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

describe("depth", () => {
  const serializer = new MsgpackSerializer({ types: [node, leaf] });

  it.each(Object.entries(levels))("has one bound both ways: %s", (_, wrap) => {
    // A level may take two: the object, and the list or record in which its class keeps the value.
    const deepest = [500, 250].find((count) => {
      try {
        serializer.dumps(nest(count, wrap));
        return true;
      } catch {
        return false;
      }
    });
    expect(deepest).toBeDefined();
    const bytes = serializer.dumps(nest(deepest as number, wrap));
    expect(serializer.dumps(serializer.loads(bytes))).toStrictEqual(bytes);
    const error = caught(() => serializer.dumps(nest(501, wrap)));
    expect(error.code).toBe("limit_exceeded");
    expect(error.message).toContain("maxDepth");
    const free = new MsgpackSerializer({ types: [node, leaf], limits: { maxDepth: 1_100 } });
    const deep = free.dumps(nest(501, wrap));
    expect(caught(() => serializer.loads(deep)).code).toBe("limit_exceeded");
  });

  it.each(Object.entries(levels))("of 20,000 is refused at once: %s", (name, wrap) => {
    const value = nest(20_000, name === "message" ? levels.record! : wrap);
    const start = performance.now();
    expect(caught(() => serializer.dumps(value)).code).toBe("limit_exceeded");
    expect(performance.now() - start).toBeLessThan(500);
  });

  it("of 20,000 in a payload is refused at once", () => {
    for (const byte of [0x91, 0x81]) {
      const payload = new Uint8Array(40_000).fill(byte);
      const start = performance.now();
      expect(["limit_exceeded", "malformed_payload"]).toContain(
        caught(() => serializer.loads(payload)).code,
      );
      expect(performance.now() - start).toBeLessThan(500);
    }
  });

  it("beyond what the stack holds is a SerdeError too", () => {
    const free = new MsgpackSerializer({ limits: { maxDepth: 10_000_000 } });
    const value = nest(200_000, levels.array!);
    expect(caught(() => free.dumps(value)).code).toBe("limit_exceeded");
    const payload = new Uint8Array(200_001).fill(0x91);
    payload[200_000] = 1;
    expect(caught(() => free.loads(payload)).code).toBe("limit_exceeded");
  });

  it("counts what an inert value holds", () => {
    const open = new MsgpackSerializer({ types: [node], onBlocked: "inert" });
    const closed = new MsgpackSerializer({ onBlocked: "inert" });
    const inert = closed.loads(open.dumps(nest(300, levels.class!)));
    const wrapped = (count: number): unknown => {
      let value: unknown = inert;
      for (let i = 0; i < count; i++) value = [value];
      return value;
    };
    const bytes = closed.dumps(wrapped(200));
    expect(closed.dumps(closed.loads(bytes))).toStrictEqual(bytes);
    expect(caught(() => closed.dumps(wrapped(201))).code).toBe("limit_exceeded");
  });
});

describe("size", () => {
  it("is bound both ways", () => {
    const small = new MsgpackSerializer({ limits: { maxBytes: 100 } });
    const fits = "x".repeat(98);
    expect(small.loads(small.dumps(fits))).toBe(fits);
    expect(caught(() => small.dumps("x".repeat(99))).message).toContain("maxBytes");
    const free = new MsgpackSerializer();
    expect(caught(() => small.loads(free.dumps("x".repeat(99)))).code).toBe("limit_exceeded");
  });

  it("is held while a large value is written, not after", () => {
    const bound = new MsgpackSerializer({ limits: { maxBytes: 1_000_000 } });
    const text = "x".repeat(100_000);
    const value = { list: Array.from({ length: 100_000 }, () => text) };
    const start = performance.now();
    expect(caught(() => bound.dumps(value)).code).toBe("limit_exceeded");
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("holds for JSON of the stock serializer", () => {
    const small = new MsgpackSerializer({ limits: { maxBytes: 10 } });
    expect(caught(() => small.loads(Buffer.from(JSON.stringify("x".repeat(20))))).code).toBe(
      "limit_exceeded",
    );
  });
});

describe("items", () => {
  it("are bound both ways", () => {
    const small = new MsgpackSerializer({ limits: { maxItems: 10 } });
    const free = new MsgpackSerializer();
    const fits = { a: [1, 2, 3, 4], b: new Map([[1, 2]]) };
    expect(small.loads(small.dumps(fits))).toStrictEqual(fits);
    const over = { ...fits, c: 1 };
    expect(caught(() => small.dumps(over)).message).toContain("maxItems");
    expect(caught(() => small.loads(free.dumps(over))).code).toBe("limit_exceeded");
  });

  it("include the holes of a sparse array", () => {
    const serializer = new MsgpackSerializer();
    const sparse: unknown[] = [];
    sparse[4_000_000_000] = 1;
    const start = performance.now();
    const error = caught(() => serializer.dumps({ list: sparse }));
    expect([error.code, error.path]).toStrictEqual(["limit_exceeded", "list"]);
    expect(performance.now() - start).toBeLessThan(100);
  });
});

describe("numeric keys", () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => i);
  const free = new MsgpackSerializer({ limits: { maxNumericKeys: 1_000_000 } });
  const serializer = new MsgpackSerializer();

  it.each([
    ["Map", () => new Map(keys.map((key) => [key, 1]))],
    ["Set", () => new Set(keys)],
    ["Map of BigInts", () => new Map(keys.map((key) => [BigInt(key), 1]))],
    [
      "Map that Python would not keep",
      () =>
        new Map<unknown, unknown>([["x", 1], [true, 1], ...keys.map((key) => [key, 1] as const)]),
    ],
    [
      "shared Map",
      () => {
        const map = new Map(keys.map((key) => [key, 1]));
        return [map, map];
      },
    ],
  ])("are bound both ways: %s", (_, value) => {
    const bytes = free.dumps(value());
    expect(caught(() => serializer.loads(bytes)).message).toContain("maxNumericKeys");
    expect(caught(() => serializer.dumps(value())).message).toContain("maxNumericKeys");
  });

  it("may be many where they are text", () => {
    const map = new Map(keys.map((key) => [`${key}`, key]));
    expect(serializer.loads(serializer.dumps(map))).toStrictEqual(map);
  });
});

describe("options", () => {
  it.each([
    [{ limits: { maxDepth: 0 } }, "limits.maxDepth"],
    [{ limits: { maxBytes: Number.POSITIVE_INFINITY } }, "limits.maxBytes"],
    [{ limits: { maxItem: 5 } }, "limits.maxItem"],
    [{ limit: {} }, "limit"],
    [{ mode: "loose" }, "mode"],
    [{ onBlocked: "ignore" }, "onBlocked"],
  ])("that are wrong are named: %j", (options, name) => {
    const error = caught(() => new MsgpackSerializer(options as never));
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain(name);
  });

  it("that are undefined are those by default", () => {
    const serializer = new MsgpackSerializer({ limits: { maxDepth: undefined } as never });
    expect(caught(() => serializer.dumps(nest(501, levels.array!))).code).toBe("limit_exceeded");
  });
});
