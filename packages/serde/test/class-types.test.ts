import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { defineType, MsgpackSerializer, type Types } from "../src/index.ts";
import { caught } from "./caught.ts";
import { assertSame } from "./same.ts";

class Money {
  amount: number;
  currency: string;
  constructor(amount = 12, currency = "EUR") {
    if (amount < 0) throw new Error("negative");
    this.amount = amount;
    this.currency = currency;
  }
  get label(): string {
    return `${this.amount} ${this.currency}`;
  }
}

class Cart {
  items: unknown[] = [];
  owner: unknown;
}

class PaymentError extends RangeError {
  code: string;
  at = new Date(5);
  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PaymentError";
    this.code = code;
  }
}

class ManyErrors extends AggregateError {}

class Greeting extends HumanMessage {
  mood = "glad";
}

class Plan extends ToolMessage {}

const money = defineType({
  name: "Money",
  class: Money,
  dump: ({ amount, currency }) => [amount, currency] as const,
  load: ([amount, currency]) => new Money(amount, currency),
});

describe("instances of known classes", () => {
  it.each<[string, Types, () => unknown]>([
    [
      "fields",
      { Money, Cart },
      () => Object.assign(new Cart(), { items: [new Money(), new Date(1)] }),
    ],
    ["fields that are undefined", { Cart }, () => new Cart()],
    ["no fields", { Empty }, () => new Empty()],
    ["dump and load", [money], () => ({ total: new Money(3), rest: [new Money(4)] })],
    ["dump to a record", [recordMoney()], () => new Money(3)],
    ["dump to a text", [textMoney()], () => new Map([[new Money(3), new Money(4)]])],
    [
      "a cycle through fields",
      { Cart },
      () => {
        const cart = new Cart();
        cart.owner = cart;
        cart.items.push({ cart });
        return cart;
      },
    ],
    [
      "sharing",
      { Cart, Money },
      () => {
        const one = new Money();
        return [Object.assign(new Cart(), { items: [one, one] }), one];
      },
    ],
    [
      "sharing of what has a load",
      [money],
      () => {
        const one = new Money(7);
        return [one, { one }, new Set([one])];
      },
    ],
    [
      "an error",
      { PaymentError },
      () => new PaymentError("declined", "E1", { cause: new TypeError("why") }),
    ],
    ["an error of errors", { ManyErrors }, () => new ManyErrors([new Error("a"), 1], "many")],
    [
      "an error that is its own cause",
      { PaymentError },
      () => {
        const error = new PaymentError("x", "E2");
        error.cause = [error];
        return error;
      },
    ],
    ["a message", { Greeting }, () => new Greeting({ content: "hi", id: "1" })],
    [
      "a tool message",
      { Plan },
      () => [
        new Plan({ content: "x", tool_call_id: "c", artifact: { at: new Date(1) } }),
        new AIMessage("y"),
      ],
    ],
    ["a class of an object without Object's prototype", { Bare }, () => new Bare()],
    [
      "messages and errors beside references",
      { Greeting, PaymentError },
      () => {
        const shared = {};
        return [shared, new Greeting("x"), new PaymentError("x", "y", { cause: shared }), shared];
      },
    ],
  ])("come back by %s", (_, types, value) => {
    const serializer = new MsgpackSerializer({ types, verifyOnWrite: true });
    const bytes = serializer.dumps(value());
    assertSame(serializer.loads(bytes), value());
    expect(serializer.dumps(serializer.loads(bytes))).toStrictEqual(bytes);
  });

  it("come back without their constructor when they have no load", () => {
    const serializer = new MsgpackSerializer({ types: { Money } });
    const debt = new Money();
    debt.amount = -5;
    expect(serializer.loads(serializer.dumps(debt))).toStrictEqual(debt);
  });

  it("are found under the name that they were stored with", () => {
    const bytes = new MsgpackSerializer({ types: { Price: Money } }).dumps(new Money());
    const loaded = new MsgpackSerializer({ types: { Price: Money } }).loads(bytes) as Money;
    expect(loaded.label).toBe("12 EUR");
    expect(
      caught(() => new MsgpackSerializer({ types: { Money } }).loads(bytes)).message,
    ).toContain("js.Price");
  });

  it("carry the tag that Python reads only where they have a module", async () => {
    const here = new MsgpackSerializer({ types: { Money } });
    const there = new MsgpackSerializer({
      types: [defineType({ module: "shop.models", name: "Money", class: Money })],
    });
    expect((await here.dumpsTyped(new Money()))[0]).toBe("msgpack+js");
    expect((await there.dumpsTyped(new Money()))[0]).toBe("msgpack");
  });

  it("keep fields named as members of Object, and refuse names that UTF-8 can't hold", () => {
    const serializer = new MsgpackSerializer({ types: { Cart } });
    const odd = Object.assign(new Cart(), { constructor: 1, toString: 2 });
    assertSame(serializer.loads(serializer.dumps(odd)), odd);
    const proto = Object.defineProperty(new Cart(), "__proto__", { value: 1, enumerable: true });
    assertSame(serializer.loads(serializer.dumps(proto)), proto);
    const torn = Object.assign(new Cart(), { "\uD800": 1 });
    expect(caught(() => serializer.dumps(torn)).code).toBe("unsupported_type");
    expect(
      caught(() => serializer.dumps(Object.assign(new Cart(), { [Symbol("s")]: 1 }))).code,
    ).toBe("unsupported_type");
  });

  it("are not those of a subclass", () => {
    class Cents extends Money {}
    const serializer = new MsgpackSerializer({ types: { Money } });
    expect(caught(() => serializer.dumps(new Cents())).problems[0]?.className).toBe("Cents");
  });

  it("name their place when dump or load fails", () => {
    const broken = defineType({
      name: "Money",
      class: Money,
      dump: ({ amount }) => {
        if (amount === 13) throw new TypeError("SECRET");
        return { amount };
      },
      load: ({ amount }) => (amount === 14 ? (null as never) : new Money(-amount)),
    });
    const serializer = new MsgpackSerializer({ types: [broken] });
    const dumping = caught(() => serializer.dumps({ list: [new Money(13), new Money(13)] }));
    expect(dumping.problems.map(({ code, path }) => [code, path])).toStrictEqual([
      ["dump_failed", "list[0]"],
      ["dump_failed", "list[1]"],
    ]);
    expect(dumping.message).not.toContain("SECRET");
    for (const amount of [1, 14]) {
      const bytes = serializer.dumps({ list: [new Money(amount)] });
      const loading = caught(() => serializer.loads(bytes));
      expect([loading.code, loading.path]).toStrictEqual(["load_failed", "list[0]"]);
    }
  });

  it("refuse a cycle through a class with a load", () => {
    const cart = defineType({
      name: "Cart",
      class: Cart,
      dump: ({ items }) => ({ items }),
      load: ({ items }) => Object.assign(new Cart(), { items }),
    });
    const loop = new Cart();
    loop.items.push([loop]);
    const error = caught(() => new MsgpackSerializer({ types: [cart] }).dumps({ loop }));
    expect([error.code, error.path]).toStrictEqual(["circular_type", "loop.items[0][0]"]);
  });
});

describe("definitions", () => {
  class Secretive {
    readonly #pin = 1;
    check(pin: number): boolean {
      return pin === this.#pin;
    }
  }
  class Heir extends Secretive {}
  class Innocent {
    note = "has no #private field";
    /* nor here: #this.x */
    text = `${"#a"} // #b`;
  }

  it.each<[string, () => unknown, string]>([
    ["no name", () => defineType({ name: "", class: Money }), "name"],
    ["an empty module", () => defineType({ name: "A", module: "", class: Money }), "module"],
    ["no class", () => defineType({ name: "A", class: (() => 1) as never }), "class"],
    ["dump alone", () => defineType({ name: "A", class: Money, dump: () => 1 }), "dump and load"],
    [
      "load alone",
      () => defineType({ name: "A", class: Money, load: () => new Money() }),
      "dump and load",
    ],
    ["private fields", () => defineType({ name: "A", class: Secretive }), "#private"],
    ["inherited private fields", () => defineType({ name: "A", class: Heir }), "#private"],
    [
      "private fields, in a record",
      () => new MsgpackSerializer({ types: { Secretive } }),
      "#private",
    ],
    [
      "a built-in that hides its content",
      () => defineType({ name: "A", class: class extends Map {} }),
      "extends Map",
    ],
    [
      "bytes",
      () => defineType({ name: "A", class: class extends Uint8Array {} }),
      "extends Uint8Array",
    ],
    [
      "one name twice",
      () => new MsgpackSerializer({ types: [money, defineType({ name: "Money", class: Cart })] }),
      "js.Money",
    ],
    [
      "one class twice",
      () => new MsgpackSerializer({ types: { Money, Price: Money } }),
      "js.Money",
    ],
    ["something else", () => new MsgpackSerializer({ types: [Money as never] }), "types"],
  ])("are refused with %s", (_, define, part) => {
    const error = caught(define);
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain(part);
  });

  it("of private fields pass when they say so, and when there are none", () => {
    expect(defineType({ name: "A", class: Secretive, fields: true }).key).toStrictEqual([
      "js",
      "A",
    ]);
    expect(defineType({ name: "A", class: Innocent }).class).toBe(Innocent);
  });

  it("of one name twice are no conflict when they are the same", () => {
    expect(new MsgpackSerializer({ types: [money, money] }).loads(Buffer.from([0xc0]))).toBeNull();
  });
});

class Empty {}

class Bare {
  a = 1;
}
Object.setPrototypeOf(Bare.prototype, null);

function recordMoney() {
  return defineType({
    name: "Money",
    class: Money,
    dump: ({ amount, currency }) => ({ amount, currency }),
    load: ({ amount, currency }) => new Money(amount, currency),
  });
}

function textMoney() {
  return defineType({
    name: "Money",
    class: Money,
    dump: ({ amount }) => `${amount}`,
    load: (text) => new Money(Number(text)),
  });
}
