import { HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  MessagesValue,
  ReducedValue,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
} from "@langchain/langgraph";
import { registry } from "@langchain/langgraph/zod";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { collectTypes } from "../src/index.ts";
import { untracked } from "../src/policy/index.ts";

class Money {
  cents = 1;
}
class Cart {
  items = [new Money()];
}
class User {}
class Quote {}

const node = (): object => ({});

function compiled(schema: unknown, options?: object): object {
  return new (StateGraph as unknown as new (
    schema: unknown,
    options?: object,
  ) => {
    addNode(
      name: string,
      node: unknown,
    ): { addEdge(from: string, to: string): { compile(): object } };
  })(schema, options)
    .addNode("node", node)
    .addEdge(START, "node")
    .compile();
}

function pairs(target: object): [string, unknown][] {
  return collectTypes(target).map(({ at, class: type }) => [at, type]);
}

function found(target: object): Record<string, unknown> {
  return Object.fromEntries(collectTypes(target).map(({ at, class: type }) => [at, type]));
}

describe("a StateGraph", () => {
  it("shows its state, input, output and context", () => {
    const graph = compiled(z.object({ total: z.instanceof(Money).optional() }), {
      input: z.object({ cart: z.instanceof(Cart).optional() }),
      output: z.object({ quotes: z.array(z.instanceof(Quote)).default([]) }),
      context: z.object({ user: z.instanceof(User) }),
    });
    expect(found(graph)).toEqual({
      "state.total": Money,
      "input.cart": Cart,
      "output.quotes[]": Quote,
      "context.user": User,
    });
  });

  it("shows the fields of a StateSchema, but nothing that is never stored", () => {
    const graph = compiled(
      new StateSchema({
        messages: MessagesValue,
        cart: new ReducedValue(
          z.instanceof(Cart).default(() => new Cart()),
          {
            inputSchema: z.instanceof(Quote),
            reducer: (cart) => cart,
          },
        ),
        user: new UntrackedValue(z.instanceof(User)),
        other: untracked(z.instanceof(User)),
      }),
    );
    expect(pairs(graph)).toEqual([
      ["state.cart", Cart],
      ["state.cart", Quote],
      ["default of cart", Money],
    ]);
  });

  it("shows what the reducer of a Zod field is given", () => {
    const total = z.array(z.string()).register(registry, {
      reducer: { schema: z.instanceof(Money), fn: (a: string[]) => a },
      default: () => [],
    } as never);
    expect(found(compiled(z.object({ total })))).toEqual({ "state.total": Money });
  });

  it("shows the defaults of an Annotation's channels", () => {
    const graph = compiled(
      Annotation.Root({
        cart: Annotation<Map<string, Cart>>({
          reducer: (a) => a,
          default: () => new Map([["a", new Cart()]]),
        }),
        broken: Annotation<number>({ reducer: (a) => a, default: () => 1 }),
        unseen: Annotation<User>(),
      }),
    );
    expect(pairs(graph)).toEqual([
      ["default of cart", Cart],
      ["default of cart", Money],
    ]);
  });

  it("shows subgraphs that are declared in it, at any depth", () => {
    const inner = compiled(z.object({ total: z.instanceof(Money).optional() }));
    const nest = (child: object, name: string, schema: unknown): object =>
      new (StateGraph as unknown as new (schema: unknown) => {
        addNode(
          name: string,
          node: unknown,
        ): { addEdge(from: string, to: string): { compile(): object } };
      })(schema)
        .addNode(name, child)
        .addEdge(START, name)
        .compile();
    const middle = nest(inner, "inner", z.object({ cart: z.instanceof(Cart).optional() }));
    const outer = nest(middle, "middle", z.object({ user: z.instanceof(User).optional() }));
    expect(new Set(Object.values(found(outer)))).toEqual(new Set([User, Cart, Money]));
  });
});

describe("an agent", () => {
  const agent = createAgent({
    model: fakeModel(),
    stateSchema: z.object({ cart: z.instanceof(Cart).optional() }),
    contextSchema: z.object({ user: z.instanceof(User).optional() }),
    tools: [
      tool(() => "", {
        name: "price",
        description: "",
        schema: z.object({
          of: z.codec(z.string(), z.instanceof(Quote), {
            decode: () => new Quote(),
            encode: () => "",
          }),
        }),
      }),
    ],
    middleware: [
      createMiddleware({
        name: "Prices",
        stateSchema: z.object({ _total: z.instanceof(Money).optional() }),
        contextSchema: z.object({ limit: z.instanceof(Limit).optional() }),
      }),
    ],
  });

  it("shows its schemas, its middleware's and its tools'", () => {
    expect(found(agent)).toEqual({
      "state.cart": Cart,
      "state._total": Money,
      "context.user": User,
      "middleware Prices context.limit": Limit,
      "tool price input.of": Quote,
    });
  });

  it("shows most of that from its graph alone", () => {
    const types = Object.values(found((agent as unknown as { graph: object }).graph));
    expect(types).toEqual(expect.arrayContaining([Cart, Money, Quote]));
  });
});

describe("schemas", () => {
  it("lead to the class through every clone that drops it", () => {
    const cart = z
      .instanceof(Cart)
      .describe("a")
      .meta({ b: 1 })
      .refine(() => true);
    expect(found(compiled(z.object({ cart: cart.describe("c").optional() })))).toEqual({
      "state.cart": Cart,
    });
    const small = mini.object({ cart: mini.optional(mini.instanceof(Cart)) });
    expect(found(compiled(z.object({ small: small as never })))).toEqual({
      "state.small.cart": Cart,
    });
  });

  it("may refer to themselves, by getters and lazily, without end", () => {
    const tree = z.object({
      total: z.instanceof(Money),
      get children() {
        return z.array(tree);
      },
    });
    const list: z.ZodType = z.lazy(() => z.union([z.instanceof(Cart), z.array(list)]));
    const endless = (): z.ZodType => z.lazy(() => z.array(endless()));
    const broken = z.lazy(() => {
      throw new Error("not yet");
    });
    const graph = compiled(
      z.object({
        tree: tree.optional(),
        list: list.optional(),
        endless: endless().optional(),
        broken: broken.optional(),
      }),
    );
    expect(found(graph)).toEqual({ "state.tree.total": Money, "state.list": Cart });
  });

  it("name no class that needs no entry, and none that can't be seen", () => {
    const graph = compiled(
      z.object({
        at: z.instanceof(Date).optional(),
        message: z.instanceof(HumanMessage).optional(),
        bytes: z.instanceof(Uint8Array).optional(),
        any: z.instanceof(Object).optional(),
        custom: z.custom<Money>().optional(),
      }),
    );
    expect(found(graph)).toEqual({});
    expect(found(compiled(z3.object({ total: z3.instanceof(Money).optional() })))).toEqual({});
  });

  it.each([undefined, null, 1, "x", {}, [], () => 1])("of %s are none", (target) => {
    expect(collectTypes(target as object)).toEqual([]);
  });
});

class Limit {}
