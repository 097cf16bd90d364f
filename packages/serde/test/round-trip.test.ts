import { Document } from "@langchain/core/documents";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { cases } from "./cases/index.ts";
import { assertSame } from "./same.ts";

class Box {
  content: unknown;
  constructor(content: unknown) {
    this.content = content;
  }
}

const serializer = new MsgpackSerializer({ types: { Box } });

/** Every place in which a value may stand. */
const places: Record<string, (value: () => unknown) => unknown> = {
  "an array": (value) => [1, value(), "x"],
  "a record": (value) => ({ a: value(), b: 1 }),
  "a record without a prototype": (value) =>
    Object.assign(Object.create(null) as object, { a: value() }),
  "a record with __proto__": (value) => {
    const record = JSON.parse('{"__proto__":1}') as Record<string, unknown>;
    record.a = value();
    return record;
  },
  "a Map's key": (value) => new Map([[value(), "x"]]),
  "a Map's value": (value) =>
    new Map<unknown, unknown>([
      ["a", value()],
      [1, value()],
    ]),
  "a Set": (value) => new Set([value(), "x"]),
  "an error's cause": (value) => new Error("x", { cause: value() }),
  "an AggregateError": (value) => new AggregateError([value()]),
  "a message's artifact": (value) =>
    new ToolMessage({ content: "x", tool_call_id: "c", artifact: { a: value() } }),
  "a message's additional_kwargs": (value) =>
    new HumanMessage({ content: "x", additional_kwargs: { a: value() } as never }),
  "a message's own field": (value) => Object.assign(new HumanMessage("x"), { a: value() }),
  "a Document": (value) => new Document({ pageContent: "x", metadata: { a: value() } }),
  "a Send": (value) => Object.assign(new Send("n", {}), { args: { a: value() } }),
  "a Command": (value) => new Command({ update: { a: value() }, resume: value() }),
  "an Overwrite": (value) => new Overwrite(value()),
  "an instance": (value) => new Box(value()),
  "a place beside a reference": (value) => {
    const shared = {};
    return [shared, value(), shared, value()];
  },
  "a place shared with another": (value) => {
    const one = { a: value() };
    return [one, new Map([["x", one]])];
  },
};

describe.each(cases)("$name", ({ value }) => {
  it("comes back as it was", () => {
    assertSame(serializer.loads(serializer.dumps(value())), value());
  });

  it("is stored again as the same bytes", () => {
    const bytes = serializer.dumps(value());
    expect(Buffer.from(serializer.dumps(serializer.loads(bytes))).equals(bytes)).toBe(true);
  });

  it("says itself that it is a payload of ours", () => {
    expect(serializer.dumps(value())[0]).toBeGreaterThanOrEqual(0x80);
  });
});

it.each(cases.filter(({ large }) => large !== true))(
  "$name comes back from every place in which it may stand",
  ({ value }) => {
    for (const [place, put] of Object.entries(places)) {
      const bytes = serializer.dumps(put(value));
      const loaded = serializer.loads(bytes);
      try {
        assertSame(loaded, put(value));
        expect(Buffer.from(serializer.dumps(loaded)).equals(bytes)).toBe(true);
      } catch (cause) {
        throw new Error(`in ${place}`, { cause });
      }
    }
  },
);

it.each(cases.filter(({ hex }) => hex !== undefined))("$name has the recorded bytes", (each) => {
  expect(Buffer.from(serializer.dumps(each.value())).toString("hex")).toBe(each.hex);
});

it.each(cases.filter(({ tag }) => tag !== undefined))(
  "$name has the recorded tag",
  async ({ value, tag }) => {
    const [type, bytes] = await serializer.dumpsTyped(value());
    expect(type).toBe(tag);
    assertSame(await serializer.loadsTyped(type, bytes), value());
  },
);
