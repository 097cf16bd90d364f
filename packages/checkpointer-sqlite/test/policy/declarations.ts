import {
  Annotation,
  ReducedValue,
  StateSchema,
  UntrackedValue,
  UntrackedValueChannel,
} from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import type { AllowlistOptions } from "../../src/index.ts";

const text = z.string().optional();
const lastWins = (_old: unknown, value: unknown): unknown => value;

/** States with the fields `session`, which is untracked, `seen` and `more`, by every way to say so. */
export interface Declaration {
  readonly state: unknown;
  readonly options?: AllowlistOptions;
}

const zod = (session: z.ZodType): Declaration => ({
  state: z.object({ session, seen: text, more: z.any().optional() }),
});
const zod3 = (session: z3.ZodTypeAny): Declaration => ({
  state: z3.object({ session, seen: z3.string().optional(), more: z3.any().optional() }),
});
const annotation = (session: unknown): Declaration => ({
  state: Annotation.Root({
    session: session as ReturnType<typeof Annotation<unknown>>,
    seen: Annotation<string>(),
    more: Annotation<unknown>({ reducer: lastWins }),
  }),
});
const stateSchema = (session: unknown): Declaration => ({
  state: new StateSchema({ session: session as z.ZodType, seen: text, more: z.any().optional() }),
});

export const declarations: Readonly<Record<string, () => Declaration>> = {
  "untracked()": () => zod(untracked()),
  "untracked(z.custom())": () => zod(untracked(z.custom())),
  ".optional() after": () => zod(untracked(z.any()).optional()),
  ".nullable() after": () => zod(untracked(z.any()).nullable()),
  ".default() before": () => zod(untracked(z.any().default(undefined))),
  ".prefault() after": () => zod(untracked(z.any()).prefault(undefined)),
  ".describe() after": () => zod(untracked(z.any()).describe("live")),
  ".describe() before": () => zod(untracked(z.any().describe("live"))),
  ".meta() after": () => zod(untracked(z.any()).meta({ title: "Session" })),
  ".meta() before": () => zod(untracked(z.any().meta({ title: "Session" }))),
  ".refine() after": () => zod(untracked(z.any()).refine(() => true)),
  ".transform() after": () => zod(untracked(z.any()).transform((value) => value)),
  ".pipe() after": () => zod(untracked(z.any()).pipe(z.any())),
  "at the end of a pipe": () => zod(z.any().pipe(untracked(z.any()))),
  "z.preprocess() around": () => zod(z.preprocess((value) => value, untracked(z.any()))),
  ".catch() after": () => zod(untracked(z.any()).catch(undefined)),
  ".readonly() after": () => zod(untracked(z.any()).readonly()),
  ".brand() after": () => zod(untracked(z.any()).brand("live")),
  ".or() after": () => zod(untracked(z.custom()).or(z.null())),
  "z.lazy() around": () => zod(z.lazy(() => untracked(z.any()))),
  "several of them": () =>
    zod(
      untracked(z.any())
        .describe("a")
        .nullable()
        .refine(() => true)
        .meta({})
        .readonly(),
    ),
  "Zod 3": () => zod3(untracked(z3.any())),
  "Zod 3, .describe() after": () => zod3(untracked(z3.any()).describe("live")),
  "Zod 3, .describe() before": () => zod3(untracked(z3.any().describe("live"))),
  "Zod 3, .optional().nullable()": () => zod3(untracked(z3.any()).optional().nullable()),
  "Zod 3, .default()": () => zod3(untracked(z3.any()).default(undefined)),
  "Zod 3, .refine()": () => zod3(untracked(z3.any()).refine(() => true)),
  "Zod 3, .transform()": () => zod3(untracked(z3.any()).transform((value): unknown => value)),
  "Zod 3, .pipe()": () => zod3(untracked(z3.any()).pipe(z3.any())),
  "Zod 3, .catch()": () => zod3(untracked(z3.any()).catch(undefined)),
  "Zod 3, .readonly()": () => zod3(untracked(z3.any()).readonly()),
  "Zod 3, .brand()": () => zod3(untracked(z3.any()).brand("live")),
  "zod/mini": () => ({
    state: mini.object({
      session: untracked(mini.any()),
      seen: mini.optional(mini.string()),
      more: mini.optional(mini.any()),
    }),
  }),
  "zod/mini, wrapped": () => ({
    state: mini.object({
      session: mini.nullable(untracked(mini.any()) as mini.ZodMiniType),
      seen: mini.optional(mini.string()),
      more: mini.optional(mini.any()),
    }),
  }),
  Annotation: () => annotation(untracked(Annotation<unknown>())),
  "Annotation with a reducer": () =>
    annotation(untracked(Annotation<unknown>({ reducer: lastWins }))),
  "LangGraph's channel in an Annotation": () => annotation(new UntrackedValueChannel<unknown>()),
  "UntrackedValue in a StateSchema": () => stateSchema(new UntrackedValue(z.custom())),
  "untracked() in a StateSchema": () => stateSchema(untracked()),
  "untracked(zod/mini) in a StateSchema": () => stateSchema(untracked(mini.any())),
  "ReducedValue of a marked schema": () =>
    stateSchema(new ReducedValue(untracked(z.any()), { reducer: lastWins })),
  "a marked ReducedValue": () =>
    stateSchema(untracked(new ReducedValue(z.any().optional(), { reducer: lastWins }))),
  "the option": () => ({
    ...zod(z.any().optional()),
    options: { untracked: ["session"] },
  }),
};
