import { describe, expect, it } from "vitest";
import { defineType, MsgpackSerializer, TYPE, type Types } from "../src/index.ts";
import { caught } from "./caught.ts";
import { assertSame } from "./same.ts";

class Money {
  static readonly [TYPE] = { module: "shop", name: "Money" };
  cents = 5;
}

class Cents extends Money {}

/** As Vercel's Workflow wants it, with what its compiler adds. */
class Point {
  static readonly classId: string = "class//geometry//Point";
  static [Symbol.for("workflow-serialize")](value: Point): { at: number[] } {
    return { at: [value.x, value.y] };
  }
  static [Symbol.for("workflow-deserialize")]({ at: [x, y] }: { at: [number, number] }): Point {
    return new this(x, y);
  }
  readonly #made = true;
  readonly x: number;
  readonly y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
  get made(): boolean {
    return this.#made;
  }
}

class Pixel {
  x = 1;
}
Object.defineProperty(Pixel, Symbol.for("workflow-serialize"), { value: ({ x }: Pixel) => x });
Object.defineProperty(Pixel, Symbol.for("workflow-deserialize"), {
  value: (x: number) => Object.assign(new Pixel(), { x }),
});

describe("a class that describes itself", () => {
  it.each<[string, Types, object]>([
    ["in a list", [Money], new Money()],
    ["in a record under its own name", { Money }, new Money()],
    ["for Vercel's Workflow", [Point], new Point(1, 2)],
    ["for Vercel's Workflow, under another name", { Place: Point }, new Point(1, 2)],
    ["for Vercel's Workflow, without its compiler", { Pixel }, new Pixel()],
  ])("is stored and revived, %s", (_, types, value) => {
    const serializer = new MsgpackSerializer({ types, verifyOnWrite: true });
    assertSame(serializer.loads(serializer.dumps({ value })), { value });
  });

  it("is stored under the name that it gives", () => {
    const bytes = new MsgpackSerializer({ types: [Money] }).dumps(new Money());
    const other = defineType({ module: "shop", name: "Money", class: Cents });
    expect(new MsgpackSerializer({ types: [other] }).loads(bytes)).toBeInstanceOf(Cents);
    expect(
      (
        new MsgpackSerializer({ types: [Point] }).loads(
          new MsgpackSerializer({ types: [Point] }).dumps(new Point(1, 2)),
        ) as Point
      ).made,
    ).toBe(true);
  });

  it.each<[string, Types, string]>([
    ["under another name", { Price: Money }, "types: [Money]"],
    ["whose description is inherited", [Cents], "types: { Cents }"],
    ["without a name", [Pixel], "types: { Pixel }"],
    ["that does not", [class Plain {}], "types: { Plain }"],
  ])("is refused %s", (_, types, part) => {
    const error = caught(() => new MsgpackSerializer({ types }));
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain(part);
  });
});

describe("more types", () => {
  class Cart {
    items = 1;
  }
  const full = defineType({
    name: "Cart",
    class: Cart,
    dump: ({ items }) => items,
    load: (items) => Object.assign(new Cart(), { items }),
  });

  it.each<[string, Types, Types]>([
    ["the same record", { Cart }, { Cart }],
    ["the same definition", [full], [full]],
    ["a definition that stands for itself", { Cart: full }, { Cart: full }],
    ["a name alone, where more is known", [full], { Cart }],
    ["a class that describes itself", [Money, Point], { Money }],
    ["the same pair", [["a", "b"]], [["a", "b"]]],
    ["nothing", { Cart }, {}],
  ])("give the same serializer when they add nothing: %s", (_, types, more) => {
    const serializer = new MsgpackSerializer({ types });
    expect(serializer.withAllowlist(more)).toBe(serializer);
  });

  it("never narrow", () => {
    const serializer = new MsgpackSerializer({ types: { Cart } });
    const larger = serializer.withAllowlist([Money]).withAllowlist([["py", "Gone"]]);
    assertSame(larger.loads(serializer.dumps(new Cart())), new Cart());
    assertSame(larger.loads(larger.dumps([new Money(), new Cart()])), [new Money(), new Cart()]);
    expect(caught(() => serializer.dumps(new Money())).code).toBe("unregistered_class");
  });

  it("let a definition say more than a name did, whichever comes first", () => {
    const serializer = new MsgpackSerializer({ types: { Cart } }).withAllowlist([full]);
    expect(serializer.dumps(new Cart())).toEqual(
      new MsgpackSerializer({ types: [full] }).dumps(new Cart()),
    );
  });

  it.each<[string, Types, Types]>([
    ["another name", { Cart }, { Basket: Cart }],
    ["another definition", [full], [defineType({ name: "Cart", class: Cart, fields: true })]],
    ["another class", { Cart }, { Cart: Pixel }],
  ])("are refused when they give a class or name %s", (_, types, more) => {
    const serializer = new MsgpackSerializer({ types });
    expect(caught(() => serializer.withAllowlist(more)).code).toBe("invalid_options");
  });

  it("tell pairs apart that read alike", () => {
    class Other {}
    const serializer = new MsgpackSerializer({
      types: [
        defineType({ module: "a.b", name: "c", class: Cart }),
        defineType({ module: "a", name: "b.c", class: Other }),
      ],
    });
    assertSame(serializer.loads(serializer.dumps([new Cart(), new Other()])), [
      new Cart(),
      new Other(),
    ]);
  });
});
