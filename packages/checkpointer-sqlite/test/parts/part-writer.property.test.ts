import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryParts } from "./memory-parts.ts";
import { difference } from "./same-graph.ts";

const RUNS = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

type Json = Record<string, unknown>;

/** One change that a step of a graph may make to its state. */
type Change = (state: State, pool: object[]) => State;

interface State {
  messages: BaseMessage[];
  files: Record<string, Json>;
  byKey: Map<unknown, unknown>;
  notes: unknown[];
}

const small = fc.integer({ min: 0, max: 40 });
const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 3000, max: 9000 }) },
);
const any = fc.integer({ min: 0, max: 1_000_000 });

let counter = 0;
const text = (length: number): string => `${counter++} `.padEnd(length, "lorem ipsum ");

function message(kind: number, length: number, pool: readonly object[], pick: number): BaseMessage {
  const shared = pool[pick % (pool.length + 3)];
  const id = `m${counter++}`;
  if (kind % 3 === 0) return new HumanMessage({ content: text(length), id });
  if (kind % 3 === 1)
    return new ToolMessage({
      content: text(length),
      id,
      tool_call_id: "c",
      artifact: shared,
      metadata: pool[0] as Json,
    });
  return new AIMessage({
    content: [{ type: "text", text: text(length) }],
    id,
    tool_calls: [{ name: "t", args: { q: text(8), deep: { shared } }, id: "c" }],
    response_metadata: shared as Json,
    additional_kwargs: kind % 2 === 0 ? (shared as Json) : {},
  });
}

function record(kind: number, length: number, pool: readonly object[], pick: number): Json {
  const shared = pool[pick % (pool.length + 4)];
  return {
    content: text(length),
    at: kind % 4 === 0 ? new Date(kind) : kind,
    tags: ["a", "b".repeat(kind % 50)],
    ...(kind % 5 === 0 ? { bytes: new Uint8Array([kind & 255, 2]) } : {}),
    ...(kind % 7 === 0 ? { shared } : {}),
    ...(kind % 11 === 0 ? { map: new Map([[kind, shared]]) } : {}),
    ...(kind % 13 === 0 ? { __proto__x: undefined, ["__proto__"]: 1 } : {}),
  };
}

const at = <T>(list: readonly T[], pick: number): T | undefined =>
  list.length === 0 ? undefined : list[pick % list.length];

function messageAt({ messages }: State, pick: number): Json | undefined {
  const found: unknown = at(messages, pick);
  return typeof found === "object" && found !== null ? (found as Json) : undefined;
}

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 30 }), any, size, any)
    .map(([count, kind, length, pick]): Change => (state, pool) => ({
      ...state,
      messages: [
        ...state.messages,
        ...Array.from({ length: count }, (_, i) => message(kind + i, length, pool, pick + i)),
      ],
    })),
  small.map((count): Change => (state) => ({
    ...state,
    messages: state.messages.slice(count % 7),
  })),
  any.map((pick): Change => (state) => {
    const messages = [...state.messages];
    if (messages.length > 0) messages.splice(pick % messages.length, 1);
    return { ...state, messages };
  }),
  fc.tuple(any, any, size).map(([pick, kind, length]): Change => (state, pool) => {
    const messages = [...state.messages];
    messages.splice(pick % (messages.length + 1), kind % 2, message(kind, length, pool, kind));
    return { ...state, messages };
  }),
  // In place, at any depth.
  any.map((pick): Change => (state) => {
    const found = messageAt(state, pick);
    if (found !== undefined) {
      const inner = [found.response_metadata, found.additional_kwargs, found.artifact];
      const target = inner[pick % 3];
      if (typeof target === "object" && target !== null) (target as Json).touched = pick;
      else found.name = `n${pick}`;
    }
    return state;
  }),
  // Some of them a second time, in their order or not.
  fc.tuple(any, any, fc.boolean()).map(([from, count, isReversed]): Change => (state) => {
    const start = from % (state.messages.length + 1);
    const again = state.messages.slice(start, start + (count % 40));
    if (isReversed) again.reverse();
    return { ...state, messages: [...state.messages, ...again].slice(-200) };
  }),
  // Something else between them.
  fc.tuple(any, any).map(([to, kind]): Change => (state) => {
    const messages: unknown[] = [...state.messages];
    messages.splice(to % (messages.length + 1), 0, [null, "text", kind, undefined][kind % 4]);
    return { ...state, messages: messages as BaseMessage[] };
  }),
  // A Send with some of them beside it; two of them would share nothing with each other.
  fc.tuple(any, any).map(([from, count]): Change => (state) => {
    const start = from % (state.messages.length + 1);
    const messages = state.messages.slice(start, start + (count % 60));
    const others = state.notes.filter((note) => !(note instanceof Send));
    return { ...state, notes: [...others, new Send("worker", { messages })] };
  }),
  // The same object in two places.
  fc.tuple(any, any).map(([from, to]): Change => (state) => {
    const source = messageAt(state, from);
    const target = messageAt(state, to);
    if (source !== undefined && target !== undefined && from % 5 !== 0)
      target.additional_kwargs = source.additional_kwargs;
    else if (source !== undefined)
      return { ...state, messages: [...state.messages, source as never] };
    return state;
  }),
  fc
    .tuple(any, any, size, fc.integer({ min: 1, max: 40 }))
    .map(([key, kind, length, count]): Change => (state, pool) => ({
      ...state,
      files: {
        ...state.files,
        ...Object.fromEntries(
          Array.from({ length: count }, (_, i) => [
            `/f${(key + i) % 60}`,
            record(kind + i, length, pool, kind + i),
          ]),
        ),
      },
    })),
  any.map((pick): Change => (state) => {
    const file = at(Object.values(state.files), pick);
    if (file !== undefined) file.content = text(pick % 6000);
    return state;
  }),
  any.map((pick): Change => (state) => {
    const files = { ...state.files };
    const key = at(Object.keys(files), pick);
    if (key !== undefined) delete files[key];
    return { ...state, files };
  }),
  fc.tuple(any, any, size).map(([key, kind, length]): Change => (state, pool) => {
    const byKey = new Map(state.byKey);
    byKey.set(kind % 3 === 0 ? key % 50 : `k${key % 50}`, record(kind, length, pool, kind));
    return { ...state, byKey };
  }),
  fc.tuple(any, fc.integer({ min: 1, max: 200 })).map(([kind, count]): Change => (state, pool) => ({
    ...state,
    notes: [
      ...state.notes,
      ...Array.from(
        { length: count },
        (_, i) =>
          [
            kind + i,
            `note ${kind + i}`,
            { n: i },
            null,
            undefined,
            at(pool, kind + i),
            text(kind % 5000),
          ][(kind + i) % 7],
      ),
    ],
  })),
  small.map((count): Change => (state) => ({ ...state, notes: state.notes.slice(count) })),
  any.map((pick): Change => (state) => {
    const notes = [...state.notes];
    if (notes.length > 1) delete notes[pick % (notes.length - 1)];
    return { ...state, notes };
  }),
);

describe("a state in parts", () => {
  it("is what it was after every change, however it came about", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(changes, any), { minLength: 1, maxLength: 14 }),
        fc.boolean(),
        (steps, inOne) => {
          const parts = new MemoryParts();
          let pool = newPool();
          let state: State = { messages: [], files: {}, byKey: new Map(), notes: [] };
          for (const [change, pick] of steps) {
            state = change(state, pool);
            const values: unknown[] = inOne ? [state] : Object.values(state);
            const roots = values.map((value) => parts.write(value));
            const read = roots.map((root) => parts.read(root, pick % 2 === 0));
            read.forEach((value, i) => {
              expect(difference(value, values[i])).toBeUndefined();
            });
            // Another process, another moment: what was read is gone on with.
            if (pick % 3 === 0) {
              const [messages, files, byKey, notes] = (
                inOne ? Object.values(read[0] as object) : read
              ) as [BaseMessage[], Record<string, Json>, Map<unknown, unknown>, unknown[]];
              state = { messages, files, byKey, notes };
              // What came from one object would be one again.
              pool = newPool();
            }
            if (pick % 17 === 0) parts.generation++;
          }
        },
      ),
      { numRuns: 120 * RUNS },
    );
  }, 120_000);

  it("is the same for any objects that share or hold each other", () => {
    const node = fc.integer({ min: 0, max: 11 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.array(node, { maxLength: 5 }), size), {
          minLength: 1,
          maxLength: 12,
        }),
        (shape) => {
          const nodes = shape.map(([kind, , length]) => build(kind, length));
          shape.forEach(([, edges], i) => {
            for (const to of edges) link(nodes[i] as object, nodes[to % nodes.length] as object);
          });
          const parts = new MemoryParts();
          for (const value of [nodes[0], nodes, { nodes, first: nodes[0] }, nodes.slice(1)]) {
            expect(difference(parts.read(parts.write(value), false), value)).toBeUndefined();
          }
        },
      ),
      { numRuns: 400 * RUNS },
    );
  }, 60_000);

  it("keeps the args of a Send, and each Send for itself", () => {
    const messages = Array.from({ length: 60 }, (_, i) => message(i, 200, [{}], i));
    const parts = new MemoryParts();
    parts.write(messages);
    const sends = [1, 2, 3].map(
      (call) => new Send("tools", { messages: [...messages], call: { call } }),
    );
    const root = parts.write(sends);
    expect(parts.added.bytes + root.length).toBeLessThan(4000);
    const read = parts.read(root) as Send[];
    read.forEach((send, i) => expect(difference(send.args, sends[i]?.args)).toBeUndefined());
    expect(
      difference((parts.read(parts.write(sends[0])) as Send).args, sends[0]?.args),
    ).toBeUndefined();
  });
});

function newPool(): object[] {
  return [{ versions: { core: "1" } }, { deep: { list: [1, 2] } }, { n: 1 }];
}

function build(kind: number, length: number): object {
  const content = text(length);
  switch (kind) {
    case 0:
      return [content];
    case 1:
      return new Map([["content", content]]);
    case 2:
      return new HumanMessage({ content, id: "1", additional_kwargs: { links: [] } });
    case 3:
      return new Set([content]);
    default:
      return { content };
  }
}

function link(from: object, to: object): void {
  if (Array.isArray(from)) from.push(to);
  else if (from instanceof Map) from.set(`k${from.size}`, to);
  else if (from instanceof Set) from.add(to);
  else if (from instanceof HumanMessage) (from.additional_kwargs.links as object[]).push(to);
  else (from as Json)[`f${Object.keys(from).length}`] = to;
}
