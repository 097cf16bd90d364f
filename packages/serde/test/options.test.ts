import { describe, expect, it } from "vitest";
import { defineType, MsgpackSerializer, scan } from "../src/index.ts";
import { caught } from "./caught.ts";

class Money {
  cents = 1;
}

const make = (options: unknown) => () => new MsgpackSerializer(options as object);
const define = (definition: unknown) => () => defineType(definition as never);

describe("wrong options are errors that say what is known", () => {
  it.each<[string, () => unknown, string]>([
    ["null", make(null), "takes an object of options"],
    ["a number", make(5), "takes an object of options"],
    ["a list", make([]), "takes an object of options"],
    ["a misspelt name", make({ typs: {} }), "has no option typs; did you mean types?"],
    ["a name of elsewhere", make({ colour: 1 }), "has no option colour. Known: types, mode"],
    ["types that are null", make({ types: null }), "types must be a record"],
    ["types that are text", make({ types: "Money" }), "types must be a record"],
    ["an object in the list", make({ types: [{ name: "Money", class: Money }] }), "defineType"],
    ["a listener that is none", make({ onEvent: 3 }), "onEvent must be a function"],
    ["a flag that is text", make({ errorStacks: "yes" }), "must be true or false"],
    ["no definition", define(null), "defineType takes an object"],
    ["a misspelt dump", define({ name: "M", class: Money, dmp: 1 }), "did you mean dump?"],
    ["a dump that is none", define({ name: "M", class: Money, dump: 1, load: 1 }), "no function"],
    [
      "a name of LangGraph's",
      define({ module: "langgraph.types", name: "Command", class: Money }),
      "name another module",
    ],
    [
      "a name of Python's",
      define({ module: "builtins", name: "set", class: Money }),
      "name another module",
    ],
    [
      "a profile to scan by",
      () => scan({}, { profile: "x" as never }),
      'profile must be "msgpack"',
    ],
    [
      "a serializer to scan with",
      () => scan({}, { serializer: 5 as never }),
      "a MsgpackSerializer",
    ],
    ["null to scan with", () => scan({}, null as never), "scan takes an object of options"],
    ["one alias", define({ name: "M", class: Money, aliases: "Old" }), "a list of aliases"],
  ])("%s", (_, work, message) => {
    const error = caught(work);
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain(message);
  });
});

describe("what is no payload is an error", () => {
  it.each([
    ["null", null],
    ["undefined", undefined],
    ["a record", {}],
    ["a list of numbers", [1]],
    ["a buffer without a view", new ArrayBuffer(1)],
  ])("%s", async (_, data) => {
    const serializer = new MsgpackSerializer();
    expect(caught(() => serializer.loads(data as never)).code).toBe("malformed_payload");
    await expect(serializer.loadsTyped("msgpack", data as never)).rejects.toMatchObject({
      code: "malformed_payload",
    });
  });
});

it("keeps what a class's own dump threw as the cause", () => {
  const thrown = new Error("why");
  const type = defineType({
    name: "Money",
    class: Money,
    dump: () => {
      throw thrown;
    },
    load: () => new Money(),
  });
  const error = caught(() => new MsgpackSerializer({ types: [type] }).dumps({ a: new Money() }));
  expect(error).toMatchObject({ code: "dump_failed", path: "a", cause: thrown });
});

it("shows the ends of a path that is too long for a message, and has all of it", () => {
  let deep: unknown = () => 1;
  for (let i = 0; i < 400; i++) deep = { next: deep };
  const error = caught(() => new MsgpackSerializer().dumps({ first: deep }));
  expect(error.path.length).toBeGreaterThan(1_900);
  expect(error.message.length).toBeLessThan(400);
  expect(error.message).toMatch(/^first\.next.*next … .*\.next: a function/);
});
