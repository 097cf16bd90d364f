import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { describe, expect, it } from "vitest";
import { chat } from "../support/sample.ts";
import { MemoryParts } from "./memory-parts.ts";
import { difference } from "./same-graph.ts";

/** Write, read back and give what it cost: bytes of new parts, and of the document. */
function cost(parts: MemoryParts, value: unknown): number {
  const root = parts.write(value);
  const { bytes } = parts.added;
  expect(difference(parts.read(root, false), value)).toBeUndefined();
  return bytes + root.length;
}

const MESSAGE = 400;

describe("what a change of a long list costs", () => {
  const messages = chat(600, 0, 300);

  /** A list that has grown step by step, so that its elements are known. */
  function grown(): MemoryParts {
    const parts = new MemoryParts();
    for (let i = 30; i <= messages.length; i += 30) parts.write(messages.slice(0, i));
    return parts;
  }

  it("is one message for one that is appended, and now and then a piece", () => {
    const parts = grown();
    let list = [...messages];
    let total = 0;
    for (let i = 0; i < 64; i++) {
      list = [...list, ...chat(1, list.length, 300)];
      total += cost(parts, list);
    }
    // Each message once by itself, once in its piece, and a document of references each time.
    expect(total / 64).toBeLessThan(2 * MESSAGE + 700);
  });

  it.each<[string, (list: unknown[]) => unknown[]]>([
    ["trimming one from the front", (list) => list.slice(1)],
    ["trimming many from the front", (list) => list.slice(77)],
    ["taking one out of the middle", (list) => list.filter((_, i) => i !== 300)],
    [
      "putting one into the middle",
      (list) => [...list.slice(0, 300), ...chat(1, 9000, 300), ...list.slice(300)],
    ],
    ["replacing one", (list) => list.map((item, i) => (i === 123 ? chat(1, 9001, 300)[0] : item))],
    ["putting one in front", (list) => [...chat(1, 9002, 300), ...list]],
    ["cutting off the end", (list) => list.slice(0, 500)],
  ])("is little for %s", (_, edit) => {
    const parts = grown();
    const edited = edit([...messages]);
    expect(cost(parts, edited)).toBeLessThan(40 * MESSAGE);
    // Once it is stored so, going on costs no more than for any other list.
    expect(cost(parts, [...edited, ...chat(1, 9100, 300)])).toBeLessThan(20 * MESSAGE);
  });

  it("stays little when a window slides over it", () => {
    const parts = new MemoryParts();
    let window = chat(50, 0, 300);
    parts.write(window);
    let total = 0;
    for (let i = 0; i < 100; i++) {
      window = [...window.slice(2), ...chat(2, 50 + 2 * i, 300)];
      total += cost(parts, window);
    }
    expect(total / 100).toBeLessThan(6 * MESSAGE);
  });

  it("is seen in place, at any depth", () => {
    const parts = grown();
    (messages[100] as AIMessage | HumanMessage).response_metadata.seen = { by: "ada" };
    expect(cost(parts, [...messages])).toBeLessThan(40 * MESSAGE);
    delete (messages[100] as HumanMessage).response_metadata.seen;
  });

  it("is the same after a restart, also where nothing is known", () => {
    const parts = grown();
    const root = parts.write(messages);
    const loaded = parts.read(root) as unknown[];
    // It may be the one that ends a piece.
    expect(cost(parts, [...loaded, ...chat(1, 600, 300)])).toBeLessThan(20 * MESSAGE);
    // Copies are other objects: they are encoded, and found to be what is stored.
    const copies = parts.read(root, false) as unknown[];
    expect(cost(parts, copies)).toBeLessThan(40 * MESSAGE);
  });
});

describe("what a change of many files costs", () => {
  const file = (n: number, edit = 0): unknown => ({
    content: `${n} ${edit} `.padEnd(5000, "text of a file "),
    at: n,
  });
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`/src/file-${i}.ts`, file(i)]),
  );

  it.each([
    ["a record", (entries: Record<string, unknown>): unknown => entries],
    [
      "a record in a record",
      (entries: Record<string, unknown>): unknown => ({ files: entries, n: 1 }),
    ],
    ["a Map", (entries: Record<string, unknown>): unknown => new Map(Object.entries(entries))],
    ["a list", (entries: Record<string, unknown>): unknown => Object.values(entries)],
  ])("is one file in %s", (_, wrap) => {
    const parts = new MemoryParts();
    parts.write(wrap(files));
    let state = files;
    for (let i = 0; i < 5; i++) {
      state = { ...state, [`/src/file-${i * 31}.ts`]: file(i * 31, i + 1) };
      expect(cost(parts, wrap(state))).toBeLessThan(5000 + 4000);
    }
  });

  it("is nothing but the rest for a large text or bytes in it", () => {
    const parts = new MemoryParts();
    const image = new Uint8Array(1 << 20).fill(9);
    const page = "x".repeat(100_000);
    parts.write([{ image, page, n: 0 }]);
    for (let n = 1; n < 4; n++) expect(cost(parts, [{ image, page, n }])).toBeLessThan(300);
  });
});

describe("what is shared", () => {
  it("by messages of one tool is stored once", () => {
    const metadata = { versions: { core: "1.4.0" }, description: "d".repeat(300) };
    const parts = new MemoryParts();
    let list: ToolMessage[] = [];
    let last = 0;
    for (let i = 0; i < 40; i++) {
      list = [
        ...list,
        new ToolMessage({
          content: `result ${i}`.padEnd(200, "."),
          tool_call_id: `c${i}`,
          metadata,
        }),
      ];
      last = cost(parts, list);
    }
    expect(last).toBeLessThan(1500);
    const read = parts.read(parts.write(list)) as ToolMessage[];
    expect(new Set(read.map((message) => message.metadata)).size).toBe(1);
  });

  it("is another object than the one it was made from, and what was read need not be written again", () => {
    const metadata = { tool: "t".repeat(100) };
    const make = (n: number): ToolMessage =>
      new ToolMessage({ content: `${n}`.padEnd(200, "."), tool_call_id: `${n}`, metadata });
    const parts = new MemoryParts();
    const before = Array.from({ length: 20 }, (_, i) => make(i));
    const read = parts.read(parts.write(before)) as ToolMessage[];
    expect(cost(parts, [...read, make(21)])).toBeLessThan(1500);
    const joined = parts.read(parts.write([...read, make(21)])) as ToolMessage[];
    expect(new Set(joined.map((message) => message.metadata)).size).toBe(2);
  });

  it("is seen between what was stored inside of a Send and beside it", () => {
    const metadata = { tool: "t".repeat(100) };
    const make = (n: number): ToolMessage =>
      new ToolMessage({ content: `${n}`.padEnd(200, "."), tool_call_id: `${n}`, metadata });
    const [first, second] = [make(1), make(2)];
    const parts = new MemoryParts();
    // A Send is a value of its own, so what it shares with others is not looked for.
    parts.write([first, new Send("tools", { messages: [second, ...chat(20)] })]);
    const joined = parts.read(parts.write([first, second])) as ToolMessage[];
    expect(joined[0]?.metadata).toBe(joined[1]?.metadata);
  });

  it("with another that is equal stays two objects", () => {
    const twins = [{ n: "x".repeat(200) }, { n: "x".repeat(200) }];
    const value = [[twins[0], twins[0]], [twins[1], twins[1]], "y".repeat(3000)];
    const parts = new MemoryParts();
    expect(difference(parts.read(parts.write(value)), value)).toBeUndefined();
  });

  it("by a Send with the channel it was made from costs a reference", () => {
    const messages = chat(200, 0, 300);
    const parts = new MemoryParts();
    parts.write(messages);
    expect(cost(parts, [new Send("tools", { messages: [...messages], call: 1 })])).toBeLessThan(
      1500,
    );
    expect(cost(parts, new Send("tools", { messages: [...messages], call: 2 }))).toBeLessThan(1500);
  });

  it("by the snapshot of a delta channel is found again", () => {
    const messages = chat(200, 0, 300);
    const parts = new MemoryParts();
    parts.write(messages);
    const root = parts.write(new DeltaSnapshot(messages));
    expect(parts.added.bytes + root.length).toBeLessThan(1500);
    expect((parts.read(root) as DeltaSnapshot<unknown>).value).toStrictEqual(messages);
  });
});

describe("reading", () => {
  it("takes few statements, however long the list is", () => {
    const parts = new MemoryParts();
    let messages = chat(10);
    while (messages.length < 1500) {
      messages = [...messages, ...chat(13, messages.length)];
      parts.write(messages);
    }
    const read = parts.read(parts.write(messages)) as unknown[];
    expect(read).toHaveLength(messages.length);
    expect(parts.fetches).toBeLessThan(6);
  });

  it("of many small items needs no part for each", () => {
    const parts = new MemoryParts();
    const items = Array.from({ length: 5000 }, (_, i) =>
      i % 3 === 0 ? i : { id: i, tag: `t${i}` },
    );
    const root = parts.write(items);
    expect(parts.stored.size).toBeLessThan(300);
    expect(difference(parts.read(root), items)).toBeUndefined();
    expect(cost(parts, [...items, { id: 1 }])).toBeLessThan(3000);
  });
});

describe("omitted objects", () => {
  it("are asked about each time, also in what is known", () => {
    const parts = new MemoryParts();
    const session = { token: "s".repeat(200) };
    const list = [{ session, text: "t".repeat(300) }, { text: "u".repeat(300) }];
    parts.write(list);
    const told: string[] = [];
    const hooks = {
      omit: (value: object) => value === session,
      onOmit: (path: string) => void told.push(path),
      at: ["state"],
    };
    expect(parts.read(parts.write(list, hooks))).toStrictEqual([{ text: list[0]?.text }, list[1]]);
    expect(told).toStrictEqual(["state[0].session"]);
    expect(parts.read(parts.write(list))).toStrictEqual(list);
  });
});
