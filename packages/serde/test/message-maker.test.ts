import { describe, expect, test } from "vitest";
import { blankMessage, fillMessage, MESSAGE_KINDS, type MessageKind } from "../src/langgraph.ts";
import { messageMaker } from "../src/message-maker.ts";

type Fields = Record<string, unknown>;

const COMMON = ["HumanMessage", "AIMessage", "SystemMessage", "ToolMessage"];

function generic(kind: MessageKind, kwargs: Fields): Fields {
  const message = blankMessage(kind);
  fillMessage(kind, message, kwargs);
  return message;
}

describe("makers of messages", () => {
  // A LangChain whose messages have other fields loads them all the same, but more slowly.
  test.each(COMMON)("exist for the installed %s", (name) => {
    expect(MESSAGE_KINDS.get(name)?.maker).toBeDefined();
  });

  const made = [...MESSAGE_KINDS.values()].flatMap((kind) =>
    kind.maker === undefined ? [] : [{ kind, Maker: kind.maker }],
  );

  test.each(made)("make of $kind.name what the generic way makes", ({ kind, Maker }) => {
    for (const kwargs of [{}, { content: "" }, argumentsFor(kind), { other: 1, content: [] }]) {
      const message = new Maker(kwargs);
      expect(Object.getPrototypeOf(message)).toBe(kind.prototype);
      expect(Reflect.ownKeys(message)).toEqual(Reflect.ownKeys(generic(kind, kwargs)));
      expect(message).toEqual(generic(kind, kwargs));
      expect(message.lc_kwargs).toBe(kwargs);
    }
  });

  test("give each message a namespace of its own", () => {
    for (const { Maker } of made)
      expect(new Maker({}).lc_namespace).not.toBe(new Maker({}).lc_namespace);
  });
});

describe("a class has no maker", () => {
  const kind = MESSAGE_KINDS.get("HumanMessage") as MessageKind;
  const type = kind.template.get("type");
  const makerOf = (reference: (kwargs: Fields) => Fields): unknown =>
    messageMaker(kind.prototype, type, kind.fields, reference);

  test.each<[string, (message: Fields) => void]>([
    ["a field more", (message) => (message.later = undefined)],
    ["a field less", (message) => delete message.name],
    ["another constant", (message) => (message.lc_serializable = false)],
    ["another namespace", (message) => (message.lc_namespace = ["langchain_core"])],
    ["an argument in another field", (message) => (message.name = message.id)],
    ["a symbol more", (message) => Object.assign(message, { [Symbol("later")]: 1 })],
  ])("that makes %s", (_, change) => {
    const changed = (kwargs: Fields): Fields => {
      const message = generic(kind, kwargs);
      change(message);
      return message;
    };
    expect(makerOf((kwargs) => generic(kind, kwargs))).toBeDefined();
    expect(makerOf(changed)).toBeUndefined();
  });

  test("that makes its fields in another order", () => {
    expect(
      makerOf((kwargs) => Object.fromEntries(Object.entries(generic(kind, kwargs)).reverse())),
    ).toBeUndefined();
  });
});

function argumentsFor({ fields }: MessageKind): Fields {
  return Object.fromEntries([...fields].map((key, i) => [key, { i }]));
}
