import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { type Cutter, Ext, MsgpackSerializer } from "../src/index.ts";
import * as fc from "fast-check";
import { Layouts, ListSnapshot, Snapshot } from "../src/parts/index.ts";

const serializer = new MsgpackSerializer();

/** A cutter that puts the same document in the place of one object. */
function cutterFor(object: object, document: Uint8Array): Cutter {
  return {
    embed: (value) => (value === object ? document : undefined),
    enter: () => true,
    refer: () => {},
  };
}

function part(name: number): Uint8Array {
  return Uint8Array.of(0xd4, Ext.PART, name);
}

describe("cutting a value while it is written", () => {
  it("puts a document in the place of an object", () => {
    const child = { deep: true };
    const { bytes, isCut } = serializer.write([1, child, 2], { cutter: cutterFor(child, part(7)) });
    expect(isCut).toBe(true);
    expect(serializer.read("msgpack", bytes, (digest) => ({ digest: [...digest] }))).toStrictEqual([
      1,
      { digest: [7] },
      2,
    ]);
  });

  it("tells where each object stands, and which are met again", () => {
    const shared = { n: 1 };
    const places: unknown[] = [];
    const referred: object[] = [];
    serializer.write(
      { a: [shared], b: shared },
      {
        at: ["messages"],
        cutter: {
          embed: (_, at) => void places.push(at()),
          enter: () => true,
          refer: (object) => void referred.push(object),
        },
      },
    );
    expect(places).toStrictEqual([
      ["messages"],
      ["messages", "a"],
      ["messages", "a", 0],
      ["messages", "b"],
    ]);
    expect(referred).toStrictEqual([shared]);
  });

  it("keeps references right beside what it put in", () => {
    const child = { deep: true };
    const shared = { n: 1 };
    const { bytes } = serializer.write([child, shared, child, shared], {
      cutter: cutterFor(child, part(7)),
    });
    const [first, second, third, fourth] = serializer.read(
      "msgpack",
      bytes,
      () => ({}),
    ) as object[];
    expect(second).toStrictEqual({ n: 1 });
    expect(fourth).toBe(second);
    expect(third).not.toBe(first);
  });

  it("tells of objects that a message leaves out because they are empty", () => {
    const message = new HumanMessage({ content: "hi", id: "1" });
    const entered: object[] = [];
    serializer.write(message, {
      cutter: {
        embed: () => undefined,
        enter: (object) => entered.push(object) > 0,
        refer: () => {},
      },
    });
    expect(entered).toContain(message.additional_kwargs);
  });

  it("still reads back what was not cut, when it verifies", () => {
    const verifying = new MsgpackSerializer({ verifyOnWrite: true });
    const child = { deep: true };
    expect(() => verifying.write([child], { cutter: cutterFor(child, part(1)) })).not.toThrow();
    expect(() => verifying.write([child], { cutter: cutterFor({}, part(1)) })).not.toThrow();
  });
});

describe("a collection in pieces", () => {
  const pieces = new Map<number, unknown>([
    [1, [1, 2]],
    [2, { a: 1, ["__proto__"]: 2 }],
    [3, new Map([["k", 1]])],
  ]);
  const read = (...body: number[]): unknown =>
    serializer.read("msgpack", Uint8Array.of(0xc7, body.length, Ext.JOIN, ...body), ([name]) =>
      structuredClone(pieces.get(name as number)),
    );
  const ref = (name: number): number[] => [...part(name)];

  it("is one list, its holes included", () => {
    const hole = [0xd4, Ext.SPECIAL, 1];
    const list = read(0x92, ...ref(1), 0x92, ...hole, 3) as unknown[];
    expect(list).toStrictEqual([1, 2, , 3]);
    expect(2 in list).toBe(false);
  });

  it("is one record, whatever its keys are", () => {
    const record = read(0x92, 0x81, 0xa1, 0x62, 5, ...ref(2)) as object;
    expect(Object.keys(record)).toContain("b");
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  it("is one Map", () => {
    expect(read(0x92, ...ref(3), ...ref(3))).toStrictEqual(new Map([["k", 1]]));
  });

  it.each([
    ["pieces of different kinds", [0x92, ...ref(1), ...ref(2)]],
    ["no piece", [0x90]],
    ["a piece that is no collection", [0x91, 5]],
  ])("refuses %s", (_, body) => {
    expect(() => read(...body)).toThrow(expect.objectContaining({ code: "malformed_payload" }));
  });

  it("is refused where no saver reads it", () => {
    const bytes = Uint8Array.of(0xd5, Ext.JOIN, 0x91, 0x90);
    expect(() => serializer.loads(bytes)).toThrow(
      expect.objectContaining({ code: "malformed_payload" }),
    );
  });
});

describe("a document with references inside of another", () => {
  const shared = { n: 1 };
  const graph = serializer.dumps([shared, shared]);
  const nested = Uint8Array.of(0x92, ...graph, 5);

  it("is read for a saver", () => {
    const [pair, five] = serializer.read("msgpack", nested, () => null) as [object[], number];
    expect(pair[0]).toBe(pair[1]);
    expect(five).toBe(5);
  });

  it("is refused elsewhere", () => {
    expect(() => serializer.loads(nested)).toThrow(
      expect.objectContaining({ code: "malformed_payload" }),
    );
  });
});

describe("a snapshot", () => {
  const make = (): AIMessage & { response_metadata: { usage: { n: number }; tags: string[] } } =>
    new AIMessage({
      content: "hi",
      id: "1",
      tool_calls: [{ name: "t", args: { q: 1 }, id: "c" }],
      response_metadata: { usage: { n: 1 }, tags: ["a"], at: new Date(5) },
    }) as never;

  it("holds while nothing changes", () => {
    expect(Snapshot.of(make())?.holds()).toBe(true);
    expect(Snapshot.of({ a: [1, { b: NaN }], c: -0 })?.holds()).toBe(true);
  });

  it.each<[string, (message: ReturnType<typeof make>) => void]>([
    ["a field", (m) => void (m.content = "ho")],
    ["a field deep down", (m) => void (m.response_metadata.usage.n = 2)],
    ["an item", (m) => void (m.response_metadata.tags[0] = "b")],
    ["one more item", (m) => void m.response_metadata.tags.push("b")],
    ["a hole", (m) => void delete m.response_metadata.tags[0]],
    ["a key on an array", (m) => void Object.assign(m.response_metadata.tags, { x: 1 })],
    ["a key on a date", (m) => void Object.assign(m.response_metadata.at as object, { x: 1 })],
    ["one more field", (m) => void Object.assign(m.response_metadata.usage, { x: undefined })],
    ["a field less", (m) => void delete (m.response_metadata.usage as { n?: number }).n],
    ["an equal object in the place of another", (m) => void (m.response_metadata.usage = { n: 1 })],
    ["a date", (m) => void (m.response_metadata as unknown as { at: Date }).at.setTime(6)],
    ["zero for minus zero", (m) => void (m.response_metadata.usage.n = -0)],
    ["the order of fields", (m) => void reorder(m.response_metadata)],
    ["the prototype", (m) => void Object.setPrototypeOf(m.response_metadata.usage, null)],
  ])("sees %s", (_, change) => {
    const message = make();
    message.response_metadata.usage.n = 0;
    const snapshot = Snapshot.of(message);
    const list = ListSnapshot.of([make(), message, make()]);
    change(message);
    expect(snapshot?.holds()).toBe(false);
    expect(list?.holds()).toBe(false);
    expect([0, 1, 2].map((i) => list?.at(i).holds())).toStrictEqual([true, false, true]);
  });

  it("of a list tells which item an object stands in", () => {
    const items = [make(), { a: [{ b: 1 }] }, make()];
    const list = ListSnapshot.of(items);
    const { a } = items[1] as { a: object[] };
    expect(
      [items[0], items[1], a, a[0], items[2]].map((object) => {
        const place = list?.objects.indexOf(object as object) ?? -1;
        return list?.itemOf(place);
      }),
    ).toStrictEqual([0, 1, 1, 1, 2]);
  });

  it.each<[string, object]>([
    ["a class", { a: new (class Money {})() }],
    ["a Map", { a: new Map() }],
    ["bytes", { a: new Uint8Array(2) }],
    ["a getter", Object.defineProperty({}, "a", { get: () => 1, enumerable: true })],
    ["a symbol", { [Symbol("s")]: 1 }],
    ["a function", { a: () => 1 }],
    ["a sparse array", [, 1]],
  ])("is not taken of %s", (_, value) => {
    expect(Snapshot.of(value)).toBeUndefined();
  });

  it("is of its own value, however many others have its layout", () => {
    const layouts = new Layouts();
    fc.assert(
      fc.property(fc.array(fc.object({ maxDepth: 2 }), { minLength: 2 }), (values) => {
        const all = [...values, ...values.map((value) => ({ ...value }))];
        const taken = all.map((value) => Snapshot.of(value, { layouts }));
        expect(taken.map((snapshot) => snapshot?.holds())).toStrictEqual(all.map(() => true));
        (values[0] as Record<string, unknown>)["one more"] = 1;
        const first = all[0];
        expect(taken.map((snapshot) => snapshot?.holds())).toStrictEqual(
          all.map((value) => value !== first),
        );
      }),
    );
  });

  it("does not look into what it can't be taken of", () => {
    const looks: string[] = [];
    const watched = new Proxy(new Map(), {
      ownKeys: () => void looks.push("keys") as never,
      getOwnPropertyDescriptor: () => void looks.push("field") as never,
    });
    expect(Snapshot.of({ a: watched })).toBeUndefined();
    expect(looks).toStrictEqual([]);
  });

  it("knows every object once", () => {
    const shared = {};
    const cycle: Record<string, unknown> = { shared, again: shared };
    cycle.self = cycle;
    expect(Snapshot.of(cycle)?.objects).toStrictEqual([cycle, shared]);
    const many = Array.from({ length: 60 }, () => shared);
    expect(Snapshot.of([many, ...many.map((_, i) => ({ i })), shared])?.objects).toHaveLength(63);
  });
});

describe("a snapshot of what is stored in more than one place", () => {
  const apart = { deep: { n: 1 } };
  const value = { a: apart, b: { own: true }, c: apart };

  it("knows what lies apart", () => {
    const snapshot = Snapshot.of(value, { isApart: (object) => object === apart });
    expect(snapshot?.objects).toStrictEqual([value, value.b, apart, apart.deep]);
    expect(snapshot?.ownCount).toBe(2);
  });

  it("holds only while that is as it was too", () => {
    const copy = structuredClone(value);
    const snapshot = Snapshot.of(copy, { isApart: (object) => object === copy.a });
    copy.a.deep.n = 2;
    expect(snapshot?.holds()).toBe(false);
  });
});

function reorder(record: Record<string, unknown>): void {
  const [[key, value]] = Object.entries(record) as [[string, unknown]];
  delete record[key];
  record[key] = value;
}
