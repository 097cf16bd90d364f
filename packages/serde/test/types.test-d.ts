import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { MemorySaver } from "@langchain/langgraph";
import { expectTypeOf, test } from "vitest";
import {
  type DefinedType,
  defineType,
  type InertValue,
  isInert,
  MsgpackSerializer,
  type Problem,
  SerdeError,
  type SerdeErrorCode,
} from "../src/index.ts";

class Money {
  readonly amount: number;
  readonly currency: string;
  constructor(amount: number, currency: string) {
    this.amount = amount;
    this.currency = currency;
  }
}

test("a serializer fits wherever LangGraph takes one", () => {
  expectTypeOf<MsgpackSerializer>().toExtend<SerializerProtocol>();
  expectTypeOf(new MemorySaver(new MsgpackSerializer())).toEqualTypeOf<MemorySaver>();
});

test("loaded values are unknown", () => {
  const serializer = new MsgpackSerializer();
  expectTypeOf(serializer.loads).returns.toBeUnknown();
  expectTypeOf(serializer.dumps).returns.toEqualTypeOf<Uint8Array>();
  expectTypeOf(serializer.loadsTyped).returns.resolves.toBeUnknown();
});

test("types are classes by name, definitions, or pairs", () => {
  new MsgpackSerializer({ types: { Money } });
  new MsgpackSerializer({ types: [["my.models", "Money"]] });
  // @ts-expect-error -- an instance is no class
  new MsgpackSerializer({ types: { Money: new Money(1, "EUR") } });
  // @ts-expect-error -- a pair has a module and a name
  new MsgpackSerializer({ types: [["Money"]] });
});

test("a definition's load takes what its dump gives", () => {
  const money = defineType({
    name: "Money",
    class: Money,
    dump: (value) => [value.amount, value.currency] as const,
    load: ([amount, currency]) => new Money(amount, currency),
  });
  expectTypeOf(money).toEqualTypeOf<DefinedType<Money>>();
  defineType({
    name: "Money",
    class: Money,
    // @ts-expect-error -- load takes a text
    dump: (value) => value.amount,
    load: (text: string) => new Money(Number(text), "EUR"),
  });
});

test("misspelt options are errors", () => {
  // @ts-expect-error -- the option is onBlocked
  new MsgpackSerializer({ onBlock: "inert" });
  // @ts-expect-error -- the limit is maxBytes
  new MsgpackSerializer({ limits: { maxSize: 1 } });
  // @ts-expect-error -- modes are strict and lenient
  new MsgpackSerializer({ mode: "loose" });
});

test("guards narrow", () => {
  const value: unknown = undefined;
  if (isInert(value)) expectTypeOf(value).toEqualTypeOf<InertValue>();
  if (SerdeError.is(value)) {
    expectTypeOf(value.code).toEqualTypeOf<SerdeErrorCode>();
    expectTypeOf(value.problems).toEqualTypeOf<readonly Problem[]>();
  }
});
