import { HumanMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  defineType,
  InertValue,
  isInert,
  MsgpackSerializer,
  type SerdeEvent,
} from "../src/index.ts";
import { refusals } from "./cases/refusals.ts";
import { caught } from "./caught.ts";

class Money {
  amount = 12;
  currency = "EUR";
}

class Greeting extends HumanMessage {}
class Failure extends RangeError {}

describe("strict mode", () => {
  it("is the default", () => {
    expect(new MsgpackSerializer().mode).toBe("strict");
  });

  it.each(["true", "TRUE", "1", "yes"])("wins when LANGGRAPH_STRICT_MSGPACK is %s", (value) => {
    vi.stubEnv("LANGGRAPH_STRICT_MSGPACK", value);
    const serializer = new MsgpackSerializer({ mode: "lenient" });
    expect(serializer.mode).toBe("strict");
    expect(caught(() => serializer.dumps(new Money())).code).toBe("unregistered_class");
    vi.unstubAllEnvs();
    expect(serializer.mode).toBe("strict");
  });

  it.each(["false", "0", "", "no"])("leaves it be when the variable is %j", (value) => {
    vi.stubEnv("LANGGRAPH_STRICT_MSGPACK", value);
    expect(new MsgpackSerializer({ mode: "lenient" }).mode).toBe("lenient");
    vi.unstubAllEnvs();
  });
});

describe("lenient mode", () => {
  let warnings: string[] = [];
  let events: SerdeEvent[] = [];
  let serializer: MsgpackSerializer;

  beforeEach(() => {
    warnings = [];
    events = [];
    vi.spyOn(process, "emitWarning").mockImplementation((warning) => {
      warnings.push(String(warning));
    });
    serializer = new MsgpackSerializer({ mode: "lenient", onEvent: (event) => events.push(event) });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const roundTrip = (value: unknown): unknown => serializer.loads(serializer.dumps(value));

  it("stores an instance of an unknown class as its fields", () => {
    expect(roundTrip({ cart: [new Money()] })).toStrictEqual({
      cart: [{ amount: 12, currency: "EUR" }],
    });
    expect(events).toStrictEqual([{ kind: "flattened", className: "Money", path: "cart[0]" }]);
  });

  it("stores an instance of a subclass as the class that it extends", () => {
    const [greeting, failure, date] = roundTrip([
      new Greeting("x"),
      new Failure("y"),
      new (class Stamp extends Date {})(5),
    ]) as object[];
    expect(Object.getPrototypeOf(greeting)).toBe(HumanMessage.prototype);
    expect(failure).toStrictEqual(new RangeError("y"));
    expect(date).toStrictEqual(new Date(5));
  });

  it("leaves out what nothing could bring back", () => {
    const value = { a: 1, fn: () => 1, list: [1, () => 1, Symbol("x")], later: Promise.resolve() };
    expect(roundTrip(value)).toStrictEqual({ a: 1, list: [1, undefined, undefined] });
    expect(events.map(({ kind }) => kind)).toStrictEqual([
      "dropped",
      "dropped",
      "dropped",
      "dropped",
    ]);
    expect(events.map((event) => "path" in event && event.path).sort()).toStrictEqual([
      "fn",
      "later",
      "list[1]",
      "list[2]",
    ]);
  });

  it("keeps the items of an array with extra keys", () => {
    expect(roundTrip(Object.assign([1, 2], { total: 3 }))).toStrictEqual([1, 2]);
    expect(events).toHaveLength(1);
  });

  it("warns once for each class", () => {
    for (let i = 0; i < 3; i++) serializer.dumps([new Money(), new Money(), () => 1]);
    expect(warnings).toHaveLength(2);
    expect(warnings.join()).toContain("Money");
    expect(events).toHaveLength(9);
  });

  it.each(refusals)("keeps going: $name", ({ value }) => {
    const bytes = serializer.dumps({ value: value(), kept: 1 });
    expect(serializer.loads(bytes)).toMatchObject({ kept: 1 });
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify([events, warnings])).not.toContain("SECRET");
  });

  it("still refuses what breaks a limit", () => {
    let value: unknown = 1;
    for (let i = 0; i < 600; i++) value = [value];
    expect(caught(() => serializer.dumps(value)).code).toBe("limit_exceeded");
  });

  it("does not load more than strict mode does", () => {
    const bytes = new MsgpackSerializer({ types: { Money } }).dumps(new Money());
    expect(caught(() => serializer.loads(bytes)).code).toBe("type_not_allowed");
  });
});

describe("a type that is not allowed", () => {
  const bytes = new MsgpackSerializer({ types: { Money } }).dumps({ cart: [new Money()] });

  it("is an error that says what to add", () => {
    const events: SerdeEvent[] = [];
    const serializer = new MsgpackSerializer({ onEvent: (event) => events.push(event) });
    const error = caught(() => serializer.loads(bytes));
    expect([error.code, error.path]).toStrictEqual(["type_not_allowed", "cart[0]"]);
    expect(error.message).toContain('["js","Money"]');
    expect(events).toStrictEqual([{ kind: "blocked", type: ["js", "Money"], path: "cart[0]" }]);
  });

  it("is an inert value where that is asked for, and stored again unchanged", () => {
    const serializer = new MsgpackSerializer({ onBlocked: "inert" });
    const loaded = serializer.loads(bytes) as { cart: [InertValue] };
    const [inert] = loaded.cart;
    expect(isInert(inert)).toBe(true);
    expect(inert).toMatchObject({ module: "js", name: "Money", contents: { amount: 12 } });
    expect(serializer.dumps(loaded)).toStrictEqual(bytes);
    expect(
      new MsgpackSerializer({ types: { Money } }).loads(serializer.dumps(loaded)),
    ).toStrictEqual({
      cart: [new Money()],
    });
  });

  it("is an inert value without an event where its pair is in types", () => {
    const events: SerdeEvent[] = [];
    const serializer = new MsgpackSerializer({
      types: [["js", "Money"]],
      onEvent: (event) => events.push(event),
    });
    expect(isInert((serializer.loads(bytes) as { cart: [unknown] }).cart[0])).toBe(true);
    expect(events).toHaveLength(0);
  });

  it("is known once it is added", () => {
    const serializer = new MsgpackSerializer();
    const wider = serializer.withAllowlist({ Money });
    expect(wider.loads(bytes)).toStrictEqual({ cart: [new Money()] });
    expect(wider.withAllowlist({ Money })).toBe(wider);
    expect(serializer.withAllowlist({})).toBe(serializer);
    expect(caught(() => serializer.loads(bytes)).code).toBe("type_not_allowed");
  });

  it("keeps references that ran through it", () => {
    const types = { Money };
    const shared = { a: 1 };
    const money = Object.assign(new Money(), { shared });
    const original = new MsgpackSerializer({ types }).dumps([shared, money, money]);
    const serializer = new MsgpackSerializer({ onBlocked: "inert" });
    const loaded = serializer.loads(original) as [object, InertValue, InertValue];
    expect(loaded[1]).toBe(loaded[2]);
    expect((loaded[1].contents as { shared: object }).shared).toBe(loaded[0]);
    expect(serializer.dumps(loaded)).toStrictEqual(original);
  });
});

describe("an inert value", () => {
  const serializer = new MsgpackSerializer({ onBlocked: "inert" });
  const inert = serializer.loads(
    new MsgpackSerializer({ types: { Money } }).dumps(new Money()),
  ) as InertValue;

  it("prints itself", () => {
    expect(String(inert)).toBe("[inert js.Money]");
    expect(JSON.stringify(inert)).toBe(
      '{"inert":"js.Money","contents":{"amount":12,"currency":"EUR"}}',
    );
    expect(inspected(inert)).toBe("[inert js.Money] { amount: 12, currency: 'EUR' }");
    expect(`${inert as unknown as string}`).toBe("[inert js.Money]");
  });

  it("is compared by what it holds", () => {
    const again = serializer.loads(serializer.dumps(inert));
    expect(again).toStrictEqual(inert);
    expect(again).not.toBe(inert);
  });
});

describe("verifyOnWrite", () => {
  const broken = defineType({
    name: "Money",
    class: Money,
    dump: ({ amount }) => ({ amount }),
    load: ({ amount }) => Object.assign(new Money(), { amount: amount + 1 }),
  });

  it("finds a load that does not undo its dump", () => {
    expect(new MsgpackSerializer({ types: [broken] }).dumps(new Money())).toBeDefined();
    const serializer = new MsgpackSerializer({ types: [broken], verifyOnWrite: true });
    expect(caught(() => serializer.dumps([new Money()])).code).toBe("verify_failed");
  });

  it("finds a load that throws", () => {
    const throwing = defineType({
      name: "Money",
      class: Money,
      dump: ({ amount }) => ({ amount }),
      load: () => {
        throw new Error("no");
      },
    });
    const serializer = new MsgpackSerializer({ types: [throwing], verifyOnWrite: true });
    const error = caught(() => serializer.dumps(new Money()));
    expect(error.code).toBe("verify_failed");
    expect((error.cause as { code: string }).code).toBe("load_failed");
  });

  it("lets pass what is as it should be, and what was left out", () => {
    const live = {};
    const serializer = new MsgpackSerializer({ types: { Money }, verifyOnWrite: true });
    const { bytes } = serializer.write([new Money(), live, [live, { live }], undefined], {
      omit: (value) => value === live,
    });
    expect(serializer.loads(bytes)).toStrictEqual([
      new Money(),
      undefined,
      [undefined, {}],
      undefined,
    ]);
  });
});

describe("a listener", () => {
  it("that throws changes nothing", () => {
    const serializer = new MsgpackSerializer({
      onBlocked: "inert",
      onEvent: () => {
        throw new Error("listener");
      },
    });
    const bytes = new MsgpackSerializer({ types: { Money } }).dumps(new Money());
    expect(isInert(serializer.loads(bytes))).toBe(true);
    expect(serializer.loads(Buffer.from("[1]"))).toStrictEqual([1]);
  });

  it("hears of stock payloads and of what was left out", () => {
    const events: SerdeEvent[] = [];
    const serializer = new MsgpackSerializer({ onEvent: (event) => events.push(event) });
    serializer.loads(Buffer.from('{"a":1}'));
    const paths: string[] = [];
    serializer.write(
      { a: { live: process } },
      {
        omit: (value) => value === process,
        onOmit: (path) => paths.push(path),
        at: ["channel_values"],
      },
    );
    expect(events).toStrictEqual([
      { kind: "legacy", tag: "json" },
      { kind: "untracked", path: "channel_values.a.live" },
    ]);
    expect(paths).toStrictEqual(["channel_values.a.live"]);
  });
});

describe("omit", () => {
  const live = Object.assign(() => 1, { handle: "SECRET" });
  const serializer = new MsgpackSerializer();
  const hooks = { omit: (value: object) => value === live };

  it("leaves no trace in records, Maps, Sets, errors and instances, and a blank place in lists", () => {
    const value = {
      live,
      deep: [
        { live, kept: 1 },
        live,
        new Map<unknown, unknown>([
          ["a", live],
          ["b", 1],
          [live, 2],
        ]),
        new Set([live, 1]),
      ],
      error: new Error("x", { cause: live }),
    };
    const { bytes } = serializer.write(value, hooks);
    const loaded = serializer.loads(bytes) as { deep: unknown[]; error: Error };
    expect(Object.keys(loaded)).toStrictEqual(["deep", "error"]);
    expect(loaded.deep).toStrictEqual([{ kept: 1 }, undefined, new Map([["b", 1]]), new Set([1])]);
    expect(Object.hasOwn(loaded.error, "cause")).toBe(false);
    expect(Buffer.from(bytes).includes("SECRET")).toBe(false);
    expect(Buffer.from(bytes).includes("live")).toBe(false);
  });
});

function inspected(value: object): string {
  return (value as Record<symbol, (depth: number, options: object) => string>)[
    Symbol.for("nodejs.util.inspect.custom")
  ]!(2, {});
}
