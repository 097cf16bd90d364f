import { START } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { InvalidStateError, SqliteSaver, type StateVersion, withAllowlist } from "../src/index.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

const config = { configurable: { thread_id: "1" } };

describe("validate", () => {
  it("tells a schema that throws as one that says no, without what it threw", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const cause = new Error("secret");
    const build = (schema: unknown): LooseCompiled =>
      looseGraph(z.object({ cart: schema as z.ZodType, at: z.any() }))
        .addNode("make", () => ({ cart: 1 }))
        .addEdge(START, "make")
        .compile({ checkpointer: saver });
    await withAllowlist(build(z.any())).invoke({ at: 1 }, config);
    const throwing = z.any().refine(() => {
      throw cause;
    });
    const graph = withAllowlist(build(throwing.optional()), { validate: true });
    const error = await graph.getState(config).catch((caught: unknown) => caught);
    expect(InvalidStateError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: "invalid_state", cause, issues: [{ channel: "cart" }] });
    expect((error as Error).message).not.toContain("secret");
  });

  const build = (schema: unknown, saver: unknown): LooseCompiled =>
    looseGraph(schema)
      .addNode("make", () => ({ cart: { items: [{ price: "12" }] }, at: "2024-01-01" }))
      .addEdge(START, "make")
      .compile({ checkpointer: saver });
  const loose = z.object({ cart: z.any().optional(), at: z.any().optional() });
  const items = z.array(z.object({ price: z.number() }));
  const item3 = z3.object({ items: z3.array(z3.object({ price: z3.number() })) });

  it.each<[string, unknown]>([
    ["Zod 4", z.object({ cart: z.object({ items }).optional(), at: z.string().optional() })],
    ["Zod 3", z3.object({ cart: item3.optional(), at: z3.string().optional() })],
    [
      "Zod 4 with a codec, which is asked the other way round",
      z.object({
        cart: z.object({
          items: z.array(
            z.object({
              price: z.codec(z.string(), z.number(), {
                decode: (text) => Number(text),
                encode: (price) => String(price),
              }),
            }),
          ),
        }),
        at: z.string().optional(),
      }),
    ],
  ])("tells channel, path, issue and checkpoint, by %s", async (_, schema) => {
    const saver = SqliteSaver.fromConnString(":memory:");
    await withAllowlist(build(loose, saver)).invoke({}, config);
    const graph = withAllowlist(build(schema, saver), { validate: true });
    const error = await graph.getState(config).catch((caught: unknown) => caught);
    expect(InvalidStateError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: "invalid_state",
      issues: [
        {
          checkpointId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          channel: "cart",
          path: "items[0].price",
          message: expect.stringMatching(/number/) as string,
        },
      ],
    });
    expect(String(error)).toContain("cart.items[0].price: ");
  });

  it("asks any Standard Schema", async () => {
    const { StateSchema } = await import("@langchain/langgraph");
    const never = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => ({ issues: [{ message: "not this", path: [{ key: "items" }, 0] }] }),
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    };
    const saver = SqliteSaver.fromConnString(":memory:");
    await withAllowlist(build(loose, saver)).invoke({}, config);
    const schema = new StateSchema({ cart: never as never, at: z.any() });
    const graph = withAllowlist(build(schema, saver), { validate: true });
    await expect(graph.getState(config)).rejects.toMatchObject({
      issues: [{ channel: "cart", path: "items[0]", message: "not this" }],
    });
  });

  it("looks at what a migration made, and passes what is right or can't be asked", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    await withAllowlist(build(loose, saver)).invoke({}, config);
    const schema = z.object({
      cart: z.object({ items }).optional(),
      at: z
        .string()
        .transform((text) => new Date(text))
        .optional(),
    });
    const state: StateVersion = {
      version: 2,
      migrate: { 1: { convert: { cart: () => ({ items: [{ price: 12 }] }) } } },
    };
    const graph = withAllowlist(build(schema, saver), { validate: true, state });
    expect((await graph.getState(config)).values.cart).toEqual({ items: [{ price: 12 }] });
  });
});
