import type { BaseMessage } from "@langchain/core/messages";
import { Annotation, MessagesAnnotation, MessagesValue, StateSchema } from "@langchain/langgraph";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import type { StorableState } from "../src/index.ts";

class Money {
  readonly cents: bigint = 0n;
  plus(other: Money): Money {
    return other;
  }
}

interface Tree {
  readonly children: readonly Tree[];
  readonly value: Map<string, Money>;
}

const Good = z.object({
  question: z.string(),
  total: z.instanceof(Money).optional(),
  at: z.date(),
  any: z.any(),
  unknown: z.unknown(),
  deep: z.record(z.string(), z.array(z.tuple([z.number(), z.null()]))),
  bytes: z.instanceof(Uint8Array),
});

test("a state that can be stored is what it is", () => {
  expectTypeOf<StorableState<typeof Good>>().toEqualTypeOf<typeof Good>();
  const Schema = new StateSchema({ messages: MessagesValue, good: Good });
  expectTypeOf<StorableState<typeof Schema>>().toEqualTypeOf<typeof Schema>();
  const Root = Annotation.Root({ ...MessagesAnnotation.spec, tree: Annotation<Tree>() });
  expectTypeOf<StorableState<typeof Root>>().toEqualTypeOf<typeof Root>();
  expectTypeOf<StorableState<{ messages: BaseMessage[]; tree: Tree | undefined }>>().toBeObject();
});

test("a field that can't be stored is an error", () => {
  const Run = z.object({ run: z.custom<() => void>() });
  // @ts-expect-error -- "run: a function can't be stored"
  expectTypeOf<StorableState<typeof Run>>().toBeObject();

  const Later = new StateSchema({ later: z.array(z.custom<Promise<string>>()) });
  // @ts-expect-error -- "later[]: a promise can't be stored"
  expectTypeOf<StorableState<typeof Later>>().toBeObject();

  const Cache = Annotation.Root({ cache: Annotation<{ deep: WeakMap<object, string> }>() });
  // @ts-expect-error -- "cache.deep: a weak collection can't be stored"
  expectTypeOf<StorableState<typeof Cache>>().toBeObject();

  const Key = z3.object({ key: z3.record(z3.string(), z3.symbol()).optional() });
  // @ts-expect-error -- "key.…: a symbol can't be stored"
  expectTypeOf<StorableState<typeof Key>>().toBeObject();

  // @ts-expect-error -- "done: a function can't be stored"
  expectTypeOf<StorableState<{ done?: () => void; ok: string }>>().toBeObject();
});

test("fields that are never stored may hold anything", () => {
  const Run = z.object({ run: z.custom<() => void>(), ok: z.string() });
  expectTypeOf<StorableState<typeof Run, "run">>().toEqualTypeOf<typeof Run>();
});
