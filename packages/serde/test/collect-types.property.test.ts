import { START, StateGraph, StateSchema } from "@langchain/langgraph";
import { createAgent, createMiddleware, fakeModel, tool } from "langchain";
import {
  type Arbitrary,
  assert,
  constantFrom,
  integer,
  letrec,
  oneof,
  property,
  record,
  tuple,
} from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { collectTypes } from "../src/index.ts";

const CLASSES = Array.from({ length: 12 }, () => class {});

/** A schema, and the classes that were put into it. */
interface Made {
  readonly schema: z.ZodType;
  readonly classes: ReadonlySet<unknown>;
}

/** Nothing that a schema holds may be called while it is read. */
let calls = 0;
const called =
  <T>(value: T) =>
  (): T => {
    calls++;
    return value;
  };

const leaves: Arbitrary<Made> = oneof(
  constantFrom(z.string(), z.number(), z.any(), z.date(), z.custom(), z.instanceof(Date)).map(
    (schema): Made => ({ schema, classes: new Set() }),
  ),
  integer({ min: 0, max: CLASSES.length - 1 }).map((i): Made => {
    const type = CLASSES[i] as new () => object;
    return { schema: z.instanceof(type), classes: new Set([type]) };
  }),
);

const one: Record<string, (schema: z.ZodType) => z.ZodType> = {
  optional: (s) => s.optional(),
  nullable: (s) => s.nullable(),
  default: (s) => s.default(called(undefined as never)),
  prefault: (s) => s.prefault(called(undefined as never)),
  catch: (s) => s.catch(called(undefined as never)),
  readonly: (s) => s.readonly(),
  nonoptional: (s) => z.nonoptional(s.optional()),
  transform: (s) => s.transform(called(1)),
  preprocess: (s) => z.preprocess(called(1), s),
  lazy: (s) => z.lazy(() => s),
  array: (s) => z.array(s),
  set: (s) => z.set(s),
  promise: (s) => z.promise(s),
  record: (s) => z.record(z.string(), s),
  object: (s) => z.object({ a: s }),
  strict: (s) => z.strictObject({ a: z.string(), b: s }),
  loose: (s) => z.looseObject({ a: z.string(), b: s }).partial(),
  catchall: (s) => z.object({}).catchall(s),
  recursive: (s) => {
    const self: z.ZodType = z.object({
      value: s,
      get again() {
        return z.array(self);
      },
    });
    return self;
  },
  lazily: (s) => {
    const self: z.ZodType = z.lazy(() => z.union([s, z.array(self)]));
    return self;
  },
  discriminated: (s) =>
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("a"), v: s }),
      z.object({ k: z.literal("b") }),
    ]),
  describe: (s) => s.describe("text"),
  meta: (s) => s.meta({ title: "text" }),
  refine: (s) => s.refine(called(true)),
  superRefine: (s) => s.superRefine(called(undefined)),
  brand: (s) => s.brand("x"),
};

const two: Record<string, (a: z.ZodType, b: z.ZodType) => z.ZodType> = {
  union: (a, b) => z.union([a, b]),
  intersection: (a, b) => z.intersection(a, b),
  tuple: (a, b) => z.tuple([a, z.string()], b),
  map: (a, b) => z.map(a, b),
  pipe: (a, b) => a.pipe(b as never),
  codec: (a, b) =>
    z.codec(a, b, { decode: called(1) as never, encode: called(1) as never }) as z.ZodType,
  object: (a, b) => z.object({ a, b }),
};

const { schema: schemas } = letrec<{ schema: Made; one: Made; two: Made }>((tie) => ({
  schema: oneof({ maxDepth: 6, withCrossShrink: true }, leaves, tie("one"), tie("two")),
  one: tuple(constantFrom(...Object.values(one)), tie("schema")).map(
    ([wrap, { schema, classes }]) => ({ schema: wrap(schema), classes }),
  ),
  two: tuple(constantFrom(...Object.values(two)), tie("schema"), tie("schema")).map(
    ([join, a, b]) => ({
      schema: join(a.schema, b.schema),
      classes: new Set([...a.classes, ...b.classes]),
    }),
  ),
}));

const node = (): object => ({});

/** Places in which a schema may stand; all but the agent's are in one graph or in one that it holds. */
function graphOf({ state, field, input, output, context, child }: Record<string, Made>): object {
  const of = (made: Made | undefined) => z.object({ at: made?.schema ?? z.any() }).partial();
  const inner = new StateGraph(of(child)).addNode("n", node).addEdge(START, "n").compile();
  const fields = new StateSchema({
    at: state?.schema ?? z.any(),
    field: z.object({ deep: z.array(field?.schema ?? z.any()) }).optional(),
  } as never);
  return new StateGraph(
    fields as never,
    {
      input: of(input),
      output: of(output),
      context: of(context),
    } as never,
  )
    .addNode("n", inner as never)
    .addEdge(START, "n")
    .compile();
}

function agentOf({ state, field, input, output, context }: Record<string, Made>): object {
  const of = (made: Made | undefined) => z.object({ at: (made?.schema ?? z.any()).optional() });
  return createAgent({
    model: fakeModel(),
    stateSchema: of(state),
    contextSchema: of(context),
    tools: [tool(() => "", { name: "t", description: "", schema: of(input) as never })],
    middleware: [
      createMiddleware({
        name: "M",
        stateSchema: z.object({ _other: (field?.schema ?? z.any()).optional() }),
        contextSchema: of(output),
      }),
    ],
  });
}

const places = ["state", "field", "input", "output", "context"] as const;

it.each([
  ["a graph", graphOf, [...places, "child"]],
  ["an agent", agentOf, places],
] as const)("finds exactly the classes inside of the schemas of %s", (_, build, names) => {
  const made = Object.fromEntries(names.map((name) => [name, schemas]));
  assert(
    property(record(made), (parts) => {
      const target = build(parts);
      calls = 0;
      const found = collectTypes(target);
      expect(calls).toBeLessThanOrEqual(defaultsOf(target));
      const expected = new Set(Object.values(parts).flatMap(({ classes }) => [...classes]));
      expect(new Set(found.map(({ class: type }) => type))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

/** How many channels have a default, which may be asked for. */
function defaultsOf(target: object): number {
  const graph = "graph" in target ? target.graph : target;
  const { channels } = graph as { channels: Record<string, { initialValueFactory?: unknown }> };
  const children = [...(graph as { getSubgraphs(): Iterable<[string, object]> }).getSubgraphs()];
  return (
    Object.values(channels).filter((channel) => channel.initialValueFactory !== undefined).length +
    children.reduce((sum, [, child]) => sum + defaultsOf(child), 0)
  );
}
