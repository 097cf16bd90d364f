import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import {
  defineType,
  MsgpackSerializer,
  type SerdeEvent,
  type TypeDefinition,
} from "../src/index.ts";
import { caught } from "./caught.ts";
import { assertSame } from "./same.ts";

/** As it was deployed first. */
class Order {
  total = 12;
  notes: unknown[] = [];
}

/** As it is now. */
class Purchase {
  cents: bigint = 0n;
  currency = "EUR";
  notes: unknown[] = [];
}

interface Stored {
  readonly total: number;
  readonly notes: unknown[];
}

const older = new MsgpackSerializer({ types: { Order } });

function purchase(more: Partial<TypeDefinition<Purchase>> = {}) {
  return defineType({
    module: "shop",
    name: "Purchase",
    class: Purchase,
    version: 3,
    aliases: [["js", "Order"]],
    migrate: {
      1: ({ total, notes }: Stored) => ({ cents: BigInt(total * 100), notes }),
      2: (fields: object) => ({ ...fields, currency: "EUR" }),
    },
    ...more,
  } as TypeDefinition<Purchase>);
}

function expected(notes: unknown[] = []): Purchase {
  // In the order of the fields that the steps give.
  const { cents, currency } = { cents: 1200n, currency: "EUR" };
  const value = Object.create(Purchase.prototype) as Purchase;
  return Object.assign(value, { cents, notes, currency });
}

describe("an older version", () => {
  it("passes the steps in order, under a name that the class had before", () => {
    const events: SerdeEvent[] = [];
    const serializer = new MsgpackSerializer({
      types: [purchase()],
      onEvent: (event) => events.push(event),
    });
    const loaded = serializer.loads(older.dumps({ orders: [new Order()] }));
    assertSame(loaded, { orders: [expected()] });
    expect(events).toEqual([
      { kind: "migrated", type: ["shop", "Purchase"], from: 1, to: 3, path: "orders[0]" },
    ]);
    const again = serializer.loads(serializer.dumps(loaded));
    assertSame(again, { orders: [expected()] });
    expect(events).toHaveLength(1);
  });

  it("may hold itself, and may have been stored by dump", () => {
    const order = new Order();
    order.notes.push(order, { order });
    const loaded = new MsgpackSerializer({ types: [purchase()] }).loads(older.dumps(order));
    const [self, { order: deep }] = (loaded as Purchase).notes as [unknown, { order: unknown }];
    expect(self).toBe(loaded);
    expect(deep).toBe(loaded);

    const text = defineType({
      name: "Order",
      class: Order,
      dump: ({ total }) => String(total),
      load: () => new Order(),
    });
    const bytes = new MsgpackSerializer({ types: [text] }).dumps(new Order());
    const fields = purchase({
      migrate: { 1: (old: string) => ({ cents: BigInt(old) }) },
      version: 2,
    });
    expect(new MsgpackSerializer({ types: [fields] }).loads(bytes)).toMatchObject({ cents: 12n });
  });

  it("reaches load as the present version's data", () => {
    const type = purchase({
      version: 2,
      migrate: { 1: ({ total }: Stored) => [total * 100, "EUR"] },
      dump: ({ cents, currency }) => [Number(cents), currency],
      load: (data) => {
        const [cents, currency] = data as [number, string];
        return Object.assign(new Purchase(), { cents: BigInt(cents), currency });
      },
    });
    const serializer = new MsgpackSerializer({ types: [type], verifyOnWrite: true });
    const loaded = serializer.loads(older.dumps(new Order()));
    expect(loaded).toBeInstanceOf(Purchase);
    expect(loaded).toMatchObject({ cents: 1200n, currency: "EUR" });
    assertSame(serializer.loads(serializer.dumps([loaded])), [loaded]);
  });

  it.each<[string, (data: never) => unknown, RegExp]>([
    [
      "that throws",
      () => missing.field,
      /migrate of shop\.Purchase from version 2 threw TypeError/,
    ],
    ["that gives back no record", () => "text", /single value is stored/],
  ])("is never half built by a step %s", (_, step, message) => {
    const migrate = { 1: (data: object) => data, 2: step };
    const serializer = new MsgpackSerializer({ types: [purchase({ migrate })] });
    const error = caught(() => serializer.loads(older.dumps({ list: [new Order()] })));
    expect([error.code, error.path]).toEqual(["load_failed", "list[0]"]);
    expect(error.message).toMatch(message);
  });

  it("of a message or an error is changed in place", () => {
    class Note extends HumanMessage {
      mood = "glad";
    }
    const bytes = new MsgpackSerializer({ types: { Note } }).dumps(new Note("x"));
    const type = (step: (note: Note) => unknown) =>
      defineType({ name: "Note", class: Note, version: 2, migrate: { 1: step } });
    const serializer = new MsgpackSerializer({
      types: [type((note) => Object.assign(note, { mood: "calm" }))],
    });
    expect(serializer.loads(bytes)).toMatchObject({ mood: "calm", content: "x" });
    const wrong = new MsgpackSerializer({ types: [type(() => ({}))] });
    expect(caught(() => wrong.loads(bytes)).code).toBe("load_failed");
  });
});

describe("a newer version", () => {
  it.each(["throw", "inert"] as const)("is refused, both versions named (%s)", (onBlocked) => {
    const bytes = new MsgpackSerializer({ types: [purchase()] }).dumps({ a: new Purchase() });
    const type = defineType({ module: "shop", name: "Purchase", class: Purchase });
    const error = caught(() => new MsgpackSerializer({ types: [type], onBlocked }).loads(bytes));
    expect([error.code, error.path]).toEqual(["newer_version", "a"]);
    expect(error.message).toMatch(/version 3.*version 1/);
  });

  it("stays what it is where the class is not known at all", () => {
    const bytes = new MsgpackSerializer({ types: [purchase()] }).dumps({ a: new Purchase() });
    const serializer = new MsgpackSerializer({ onBlocked: "inert" });
    expect(serializer.dumps(serializer.loads(bytes))).toEqual(bytes);
  });
});

describe("definitions", () => {
  it.each<[string, Partial<TypeDefinition<Purchase>>, string]>([
    ["a version below 1", { version: 0 }, "from 1 on"],
    ["a version that is no number", { version: "2" as never }, "from 1 on"],
    ["a step that is missing", { version: 4 }, "migrate: { 3: "],
    ["a step too many", { version: 2 }, "no step can start from 2"],
    ["a step that is no function", { migrate: { 1: 1 as never, 2: 2 as never } }, "no function"],
    ["an alias that is no name", { aliases: [["a"] as never] }, "alias"],
  ])("are refused with %s", (_, more, part) => {
    const error = caught(() => purchase(more));
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain(part);
  });

  it("are refused when an alias is the name of another", () => {
    const types = [purchase(), defineType({ name: "Order", class: Order })];
    expect(caught(() => new MsgpackSerializer({ types })).message).toContain("js.Order");
  });
});

const missing = undefined as unknown as { field: unknown };
