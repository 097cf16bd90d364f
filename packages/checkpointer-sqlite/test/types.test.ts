import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver, START } from "@langchain/langgraph";
import {
  defineType,
  isInert,
  MsgpackSerializer,
  type SerdeEvent,
  type SerializerOptions,
  TYPE,
  type Types,
} from "@threadkeep/serde";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { SqliteSaver, withAllowlist } from "../src/index.ts";
import { looseGraph } from "./loose-graph.ts";

class Money {
  static readonly [TYPE] = { module: "shop", name: "Money" };
  cents = 1200n;
}
class Cart {
  items = new Map([["a", new Money()]]);
}

const config = { configurable: { thread_id: "1" } };
let folder: string;
const savers: SqliteSaver[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-types-"));
});
afterEach(async () => {
  await Promise.all(savers.splice(0).map((saver) => saver.close()));
  rmSync(folder, { recursive: true, force: true });
});

function open(options: SerializerOptions = {}): SqliteSaver {
  const saver = SqliteSaver.fromConnString(join(folder, "t.db"), {
    serde: new MsgpackSerializer(options),
  });
  savers.push(saver);
  return saver;
}

function graphOver(saver: unknown, schema: unknown, value: () => unknown) {
  return looseGraph(schema)
    .addNode("make", () => ({ value: value() }))
    .addEdge(START, "make")
    .compile({ checkpointer: saver });
}

const Anything = z.object({ value: z.any().optional(), note: z.string().optional() });

describe("classes that the schemas name", () => {
  it("are allowed when they describe themselves", async () => {
    const schema = z.object({ value: z.instanceof(Money).optional() });
    await withAllowlist(graphOver(open(), schema, () => new Money())).invoke({}, config);
    const { values } = await withAllowlist(graphOver(open(), schema, () => 0)).getState(config);
    expect(values.value).toStrictEqual(new Money());
    const other = withAllowlist(graphOver(open(), Anything, () => 0));
    await expect(other.getState(config)).rejects.toMatchObject({ code: "type_not_allowed" });
  });

  it("are named with their place and the line to add when they don't", async () => {
    const schema = z.object({ value: z.array(z.instanceof(Cart)).optional() });
    const graph = withAllowlist(graphOver(open(), schema, () => [new Cart()]));
    await expect(graph.invoke({}, config)).rejects.toThrow(
      "value[0]: an instance of class Cart, which the schema of state.value[] names and types does not; add it: types: { Cart }",
    );
    const named = withAllowlist(
      graphOver(open(), schema, () => [new Cart()]),
      { types: { Cart, Money } },
    );
    expect(await named.invoke({}, config)).toStrictEqual({ value: [new Cart()] });
  });

  it.each<[string, SerializerOptions, Types | undefined]>([
    ["the saver knows under another name", { types: [money("Cash")] }, undefined],
    ["the user gives under another name", {}, [money("Cash")]],
    ["give way where another class has the name", { types: [takenBy(Cart)] }, [money("Coin")]],
  ])("stay as %s", async (_, options, types) => {
    const schema = z.object({ value: z.instanceof(Money).optional() });
    const graph = withAllowlist(
      graphOver(open(options), schema, () => new Money()),
      types === undefined ? {} : { types },
    );
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values.value).toStrictEqual(new Money());
  });

  it("are those of the subgraph too, over any saver", async () => {
    const schema = z.object({ value: z.instanceof(Money).optional() });
    const child = graphOver(undefined, schema, () => new Money());
    const saver = new MemorySaver();
    const graph = withAllowlist(
      looseGraph(schema).addNode("child", child).addEdge(START, "child").compile({
        checkpointer: saver,
      }),
    );
    await graph.invoke({}, config);
    expect((await graph.getState(config)).values.value).toStrictEqual(new Money());
  });

  it("contradict nothing in silence", () => {
    expect(() =>
      withAllowlist(
        graphOver(undefined, Anything, () => 0),
        { types: { Money, Price: defineType({ name: "Price", class: Money }) } },
      ),
    ).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

/** Where LangGraph for Python hands back a bare dict or None. */
describe("revival that fails", () => {
  const store = async (value: unknown, types: Types): Promise<void> => {
    await withAllowlist(
      graphOver(open(), Anything, () => value),
      { types },
    ).invoke({}, config);
  };
  const load = (options: SerializerOptions, types?: Types) =>
    withAllowlist(
      graphOver(open(options), Anything, () => 0),
      types === undefined ? {} : { types },
    );

  it("because the class is not allowed is an error, or an inert value that is stored again unchanged", async () => {
    await store({ cart: [new Cart()] }, { Cart, Money });
    await expect(load({}).getState(config)).rejects.toMatchObject({
      code: "type_not_allowed",
      path: "value.cart[0]",
    });

    const events: SerdeEvent[] = [];
    const inert = load({
      onBlocked: "inert",
      onEvent: (event) => {
        events.push(event);
        throw new Error("a listener that fails");
      },
    });
    const { values } = await inert.getState(config);
    const [cart] = (values.value as { cart: unknown[] }).cart;
    expect(isInert(cart) && [cart.module, cart.name]).toEqual(["js", "Cart"]);
    expect(events).toContainEqual({ kind: "blocked", type: ["js", "Cart"], path: "cart[0]" });
    await inert.updateState(config, { value: values.value, note: "touched" });

    const again = await load({}, { Cart, Money }).getState(config);
    expect(again.values).toStrictEqual({ value: { cart: [new Cart()] }, note: "touched" });
  });

  it("because no code has the class is an error, or inert without complaint when the pair is listed", async () => {
    await store(new Cart(), { Cart, Money });
    await expect(load({}, { Basket: Cart }).getState(config)).rejects.toMatchObject({
      code: "type_not_allowed",
    });
    const events: SerdeEvent[] = [];
    const listed = load({ onEvent: (event) => events.push(event) }, [
      ["js", "Cart"],
      ["shop", "Money"],
    ]);
    const { values } = await listed.getState(config);
    expect(isInert(values.value)).toBe(true);
    expect(events).toEqual([]);
  });

  it("because the class has changed is a migrated value, or an error with both versions", async () => {
    await store(new Cart(), { Cart, Money });
    class Basket {
      things: unknown;
    }
    const type = defineType({
      name: "Basket",
      class: Basket,
      aliases: ["Cart"],
      version: 2,
      migrate: { 1: ({ items }: { items: unknown }) => ({ things: items }) },
    });
    const now = load({}, [type, money("Money", "shop")]);
    const { values } = await now.getState(config);
    expect(values.value).toStrictEqual(
      Object.assign(new Basket(), { things: new Map([["a", new Money()]]) }),
    );
    await now.updateState(config, { value: values.value });

    const before = load({}, [
      defineType({ name: "Basket", class: Basket }),
      money("Money", "shop"),
    ]);
    await expect(before.getState(config)).rejects.toMatchObject({ code: "newer_version" });
    await expect(before.getState(config)).rejects.toThrow(/version 2.*version 1/);

    const broken = load({}, [
      defineType({
        name: "Basket",
        class: Basket,
        aliases: ["Cart"],
        version: 3,
        migrate: {
          1: (old) => old,
          2: () => {
            throw new Error("broken step");
          },
        },
      }),
      money("Money", "shop"),
    ]);
    await expect(broken.getState(config)).rejects.toMatchObject({ code: "load_failed" });
    expect((await now.getState(config)).values.value).toBeInstanceOf(Basket);
  });

  it("because the value can't be stored is an error when it is stored", async () => {
    await store("before", {});
    const graph = withAllowlist(graphOver(open(), Anything, () => ({ cart: () => 1 })));
    await expect(graph.invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: "value.cart",
    });
    await expect(
      withAllowlist(graphOver(open(), Anything, () => new Cart())).invoke({}, config),
    ).rejects.toMatchObject({ code: "unregistered_class", path: "value" });
    expect((await graph.getState(config)).values).toEqual({ value: "before" });
  });
});

describe("lenient mode", () => {
  const State = z.object({ value: z.any().optional(), ok: z.string().optional() });

  it("stores what is plain of a graph's state, with an event and a warning for each kind", async () => {
    const events: SerdeEvent[] = [];
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): number => warnings.push(message);
    process.on("warning", onWarning);
    const saver = open({
      mode: "lenient",
      onEvent: (event) => {
        events.push(event);
        throw new Error("a listener that fails");
      },
    });
    const graph = withAllowlist(
      graphOver(saver, State, () => ({ run: () => 1, cart: new Cart(), keep: [1n] })),
    );
    await graph.invoke({ ok: "in" }, config);
    const { values } = await graph.getState(config);
    expect(values).toEqual({
      value: { cart: { items: new Map([["a", new Money()]]) }, keep: [1n] },
      ok: "in",
    });
    expect(Object.getPrototypeOf((values.value as { cart: object }).cart)).toBe(Object.prototype);
    const kinds = new Set(events.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["dropped", "flattened"]));
    await expect.poll(() => warnings.length).toBe(3);
    process.off("warning", onWarning);
  });

  it("is forbidden by the environment", async () => {
    process.env.LANGGRAPH_STRICT_MSGPACK = "true";
    try {
      const graph = withAllowlist(graphOver(open({ mode: "lenient" }), State, () => () => 1));
      await expect(graph.invoke({}, config)).rejects.toMatchObject({ code: "unsupported_type" });
    } finally {
      delete process.env.LANGGRAPH_STRICT_MSGPACK;
    }
  });
});

function money(name: string, module = "js") {
  return defineType({ module, name, class: Money });
}

function takenBy(type: typeof Cart) {
  return defineType({ module: "shop", name: "Money", class: type });
}
