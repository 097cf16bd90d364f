import { START, StateGraph } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type AllowlistOptions, withAllowlist } from "../src/index.ts";

class Money {
  readonly cents: bigint = 0n;
}

const State = z.object({ question: z.string(), total: z.instanceof(Money).optional() });

test("a graph keeps its exact type", async () => {
  const graph = new StateGraph(State)
    .addNode("answer", ({ question }) => ({ question: `${question}!` }))
    .addEdge(START, "answer")
    .compile();
  const hardened = withAllowlist(graph, { types: { Money } });
  expectTypeOf(hardened).toEqualTypeOf<typeof graph>();
  const result = await hardened.invoke({ question: "why" });
  expectTypeOf(result.question).toBeString();
  expectTypeOf(result.total).toEqualTypeOf<Money | undefined>();
  // @ts-expect-error -- a question is a text
  await hardened.invoke({ question: 1 });
  // @ts-expect-error -- the state has no such field
  void result.answer;
});

test("an agent keeps its exact type", async () => {
  const agent = createAgent({ model: fakeModel(), stateSchema: State });
  const hardened = withAllowlist(agent);
  expectTypeOf(hardened).toEqualTypeOf<typeof agent>();
  const result = await hardened.invoke({ messages: [], question: "why" });
  expectTypeOf(result.total).toEqualTypeOf<Money | undefined>();
});

test("options are checked", () => {
  expectTypeOf<AllowlistOptions["scan"]>().toEqualTypeOf<"off" | "warn" | "throw" | undefined>();
  const graph = new StateGraph(State)
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile();
  // @ts-expect-error -- the option is types
  withAllowlist(graph, { type: { Money } });
  // @ts-expect-error -- an instance is no class
  withAllowlist(graph, { types: { Money: new Money() } });
  // @ts-expect-error -- a step has no such change
  withAllowlist(graph, { state: { version: 2, migrate: { 1: { renamed: { a: "b" } } } } });
  withAllowlist(graph, {
    state: {
      version: 2,
      migrate: { 1: { rename: { a: "b" }, convert: { b: (value: number) => `${value}` } } },
    },
  });
});
