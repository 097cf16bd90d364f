import { Annotation, interrupt, MemorySaver, Send, START } from "@langchain/langgraph";
import { defineType, SerdeError, type Types } from "@threadkeep/serde";
import { describe, expect, it } from "vitest";
import { type AnySaver, SqliteSaver, withAllowlist, wrapSaver } from "../src/index.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

class Money {
  readonly cents: number = 5;
}
const config = { configurable: { thread_id: "order-77" } };
const State = Annotation.Root({
  order: Annotation<unknown>(),
  price: Annotation<unknown>(),
  "my field": Annotation<unknown>(),
});
const cause = new RangeError("why");
const newer = defineType({ name: "Money", class: Money, version: 2, migrate: { 1: (f) => f } });
const failing = defineType({
  name: "Money",
  class: Money,
  version: 2,
  migrate: {
    1: () => {
      throw cause;
    },
  },
});

/** Writes in a node, and pauses in the next; what a third one wrote is pending. */
function build(
  saver: AnySaver,
  made: Record<string, unknown>,
  pending: unknown,
  types: Types,
): LooseCompiled {
  const compiled = looseGraph(State)
    .addNode("make", () => made)
    .addNode("wait", () => ({ order: interrupt("ok?") as unknown }))
    .addNode("beside", () => ({ price: pending }))
    .addEdge(START, "make")
    .addEdge("make", "wait")
    .addEdge("make", "beside")
    .compile({ checkpointer: saver });
  return withAllowlist(compiled, { types });
}

const savers: Record<string, () => AnySaver> = {
  SqliteSaver: () => SqliteSaver.fromConnString(":memory:"),
  "a wrapped saver": () => wrapSaver(new MemorySaver()),
  "a saver that is wrapped on the way": () => new MemorySaver(),
};

const inOrder = { order: { lines: [{ price: new Money() }] } };

describe.each(Object.entries(savers))(
  "a load that %s refuses names thread, checkpoint, channel",
  (_name, open) => {
    it.each<[string, Record<string, unknown>, unknown, Types, Types, string, string]>([
      [
        "a class that is not allowed",
        inOrder,
        1,
        { Money },
        {},
        "type_not_allowed",
        "order.lines[0].price",
      ],
      [
        "one directly in a channel",
        { order: new Money() },
        1,
        { Money },
        {},
        "type_not_allowed",
        "order",
      ],
      ["one in a list", { order: [new Money()] }, 1, { Money }, {}, "type_not_allowed", "order[0]"],
      [
        "one in a Map",
        { order: new Map([["a", new Money()]]) },
        1,
        { Money },
        {},
        "type_not_allowed",
        'order.get("a")',
      ],
      [
        "one under an odd name",
        { "my field": new Money() },
        1,
        { Money },
        {},
        "type_not_allowed",
        '["my field"]',
      ],
      [
        "one in a pending write",
        { order: 1 },
        { of: new Money() },
        { Money },
        {},
        "type_not_allowed",
        "price.of",
      ],
      [
        "a class that fails to load",
        inOrder,
        1,
        { Money },
        [failing],
        "load_failed",
        "order.lines[0].price",
      ],
      ["a newer class", inOrder, 1, [newer], { Money }, "newer_version", "order.lines[0].price"],
    ])("%s", async (_what, made, pending, written, read, code, path) => {
      const saver = open();
      await build(saver, made, pending, written).invoke({}, config);
      const graph = build(saver, made, pending, read);
      const failures = [
        () => graph.getState(config),
        () => graph.invoke({}, config),
        async () => {
          for await (const _ of graph.getStateHistory(config));
        },
      ];
      for (const work of failures) {
        const error = await work().then(
          () => undefined,
          (caught: unknown) => caught,
        );
        expect(SerdeError.is(error)).toBe(true);
        expect(error).toMatchObject({ code, path });
        const { message } = error as SerdeError;
        expect(message.startsWith(`${path}: `)).toBe(true);
        expect(message).toMatch(/\(thread "order-77", checkpoint [0-9a-f-]{36}\)/);
        if (code === "load_failed") expect((error as SerdeError).cause).toBe(cause);
      }
    });

    it("one in a Send", async () => {
      const saver = open();
      const over = (types: Types): LooseCompiled =>
        withAllowlist(
          looseGraph(State)
            .addNode("make", () => ({}))
            .addNode("work", () => ({ order: interrupt("ok?") as unknown }))
            .addEdge(START, "make")
            .addConditionalEdges("make", () => [new Send("work", { item: new Money() })], ["work"])
            .compile({ checkpointer: saver }),
          { types },
        );
      await over({ Money }).invoke({}, config);
      await expect(over({}).getState(config)).rejects.toMatchObject({
        code: "type_not_allowed",
        path: expect.stringMatching(/^__pregel_tasks.*item$/) as string,
        message: expect.stringContaining('thread "order-77"') as string,
      });
    });
  },
);
