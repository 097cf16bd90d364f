import { createHash } from "node:crypto";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MsgpackSerializer, SerdeError } from "../src/index.ts";

const RUNS = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);

type Json = Record<string, unknown>;
type Change = (state: State) => void;

interface State {
  before: unknown;
  messages: unknown[];
  after: unknown;
}

let counter = 0;

function item(kind: number): object {
  const id = `m${counter++}`;
  switch (kind % 7) {
    case 0:
      return new HumanMessage({ content: `${id} é`, id });
    case 1:
      return new ToolMessage({ content: id, id, tool_call_id: "c", artifact: { rows: [{ id }] } });
    case 2:
      return { id, tags: ["a", { deep: [] }], when: kind };
    case 3:
      return kind % 5 === 0 ? { id, gone: undefined } : { id, none: null };
    case 4:
      return kind % 5 === 0 ? { id, map: new Map([[1, {}]]), at: new Date(kind) } : [id];
    default:
      return new AIMessage({
        content: [{ type: "text", text: id }],
        id,
        tool_calls: [{ name: "t", args: { q: { id } }, id: "c" }],
        response_metadata: { model: "m", usage: { total: kind } },
      });
  }
}

const at = (list: readonly unknown[], pick: number): Json | undefined => {
  const found = list[pick % list.length];
  return typeof found === "object" && found !== null ? (found as Json) : undefined;
};

/** Some object inside of an item. */
function inside(found: Json | undefined, pick: number): object | undefined {
  const { additional_kwargs, response_metadata, tool_calls, artifact, tags } = found ?? {};
  const all = [found, additional_kwargs, response_metadata, tool_calls, artifact, tags];
  const object = all[pick % all.length];
  return typeof object === "object" && object !== null ? object : undefined;
}

const any = fc.nat(1_000_000);
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(50), any).map(([count, kind]): Change => ({ messages }) => {
    for (let i = 0; i < count; i++) messages.push(item(kind + i));
  }),
  fc.nat(30).map((count): Change => (state) => {
    state.messages = state.messages.slice(count);
  }),
  fc.tuple(any, any).map(([to, kind]): Change => ({ messages }) => {
    messages.splice(to % (messages.length + 1), kind % 3, [item(kind), null, "text"][kind % 3]);
  }),
  fc.tuple(any, any).map(([pick, which]): Change => ({ messages }) => {
    const found = inside(at(messages, pick), which);
    if (Array.isArray(found)) found.push(which);
    else if (found !== undefined) (found as Json).touched = which;
  }),
  // One object in two places: of the list, before it, behind it.
  fc.tuple(any, any, any).map(([from, to, which]): Change => (state) => {
    const found = inside(at(state.messages, from), which);
    const other = at(state.messages, to);
    if (which % 4 === 0) state.before = { found };
    else if (which % 4 === 1) state.after = [found];
    else if (other !== undefined && which % 4 === 2) other.other = found;
    else state.messages.splice(to % (state.messages.length + 1), 0, found);
  }),
  fc.tuple(any, any).map(([from, count]): Change => (state) => {
    const start = from % (state.messages.length + 1);
    const some = state.messages.slice(start, start + (count % 90));
    if (count % 5 === 0) state.after = new Send("worker", { some });
    else if (count % 5 === 1) state.before = some;
    else if (count % 5 === 2) state.after = [[[{ some }]]];
    else if (count % 5 === 3) state.messages.push(...some);
    else [state.before, state.after] = [null, null];
  }),
  // What can't be stored.
  any.map((pick): Change => ({ messages }) => {
    const found = at(messages, pick);
    if (found === undefined || pick % 3 > 0) return;
    if (typeof found.handle === "function") delete found.handle;
    else found.handle = () => 1;
  }),
  any.map((pick): Change => ({ messages }) => {
    if (pick % 4 === 0 && messages.length > 1) delete messages[pick % (messages.length - 1)];
  }),
);

/** A digest of the bytes, or what is wrong. */
function dumped(serializer: MsgpackSerializer, value: unknown): unknown {
  try {
    return createHash("sha256").update(serializer.dumps(value)).digest("hex");
  } catch (error) {
    if (!SerdeError.is(error)) throw error;
    return error.problems;
  }
}

describe("a serializer that wrote a list before", () => {
  it("writes the same as one that sees it for the first time, whatever has changed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(changes, fc.nat(3)), { minLength: 1, maxLength: 16 }),
        (steps) => {
          const serializer = new MsgpackSerializer({ limits: { maxDepth: 12 } });
          const state: State = { before: null, messages: [], after: null };
          for (let i = 0; i < 70; i++) state.messages.push(item(i));
          for (const [change, times] of steps) {
            change(state);
            const expected = dumped(new MsgpackSerializer({ limits: { maxDepth: 12 } }), state);
            for (let i = 0; i <= times; i++) expect(dumped(serializer, state)).toEqual(expected);
          }
        },
      ),
      { numRuns: 150 * RUNS },
    );
  }, 120_000);
});
