import { Annotation, MemorySaver, START } from "@langchain/langgraph";
import { MsgpackSerializer } from "@threadkeep/serde";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SaverError, SqliteSaver, withAllowlist, wrapSaver } from "../src/index.ts";
import { looseGraph, type LooseCompiled } from "./loose-graph.ts";

const State = Annotation.Root({ pw: Annotation<string>(), v: Annotation<unknown>() });
const graph = (checkpointer: unknown = undefined, v: unknown = 1): LooseCompiled =>
  looseGraph(State)
    .addNode("n", () => ({ v }))
    .addEdge(START, "n")
    .compile({ checkpointer });
const channelsOf = (hardened: object): object =>
  (hardened as { readonly channels: object }).channels;
const memory = (options?: unknown): SqliteSaver =>
  SqliteSaver.fromConnString(":memory:", options as never);
const database = (): Database.Database => new Database(":memory:");
const serde = new MsgpackSerializer();

function refusal(work: () => unknown): SaverError {
  try {
    work();
  } catch (error) {
    expect(SaverError.is(error)).toBe(true);
    return error as SaverError;
  }
  throw new Error("It was accepted");
}

describe("options that would do less than they seem to are refused", () => {
  it.each<[unknown, RegExp]>([
    [
      { untrackd: ["pw"] },
      /no option untrackd; did you mean untracked\? Known: types, untracked, /,
    ],
    [{ typ: {} }, /typ; did you mean types/],
    [{ allowlist: {} }, /allowlist; did you mean types/],
    [{ migrate: {} }, /migrate; did you mean state/],
    [{ secret: "s3cr3t" }, /no option secret/],
    [{ types: 5 }, /types .*not a number/],
    [{ types: "Money" }, /types .*not a string/],
    [{ types: null }, /types .*not null/],
    [{ types: { Money: 5 } }, /types: .*Money/],
    [{ untracked: "pw" }, /untracked .*not a string/],
    [{ untracked: [5] }, /untracked .*list of names/],
    [{ untracked: ["pww"] }, /"pww".*did you mean "pw"/],
    [{ private: {} }, /private .*not an object/],
    [{ resources: {} }, /resources .*not an object/],
    [{ resources: [null] }, /resource\(\)/],
    [{ scan: "on" }, /scan must be/],
    [{ scan: true }, /scan must be/],
    [{ state: null }, /state takes an object/],
    [{ state: 2 }, /state takes an object/],
    [{ validate: "yes" }, /validate must be true or false/],
    [{ validate: 1 }, /validate must be true or false/],
    [5, /withAllowlist takes an object/],
    ["types", /withAllowlist takes an object/],
    [[], /withAllowlist takes an object/],
    [null, /withAllowlist takes an object/],
  ])("of withAllowlist: %j", (options, message) => {
    const { code, message: said } = refusal(() => withAllowlist(graph(), options as never));
    expect(code).toBe("invalid_options");
    expect(said).toMatch(message);
    expect(said).not.toContain("s3cr3t");
  });

  it.each<[string, unknown, RegExp]>([
    ["a misspelt one", { busyTimeout: 5 }, /busyTimeout; did you mean busyTimeoutMs\?/],
    ["wrapSaver's name", { serializer: serde }, /serializer; did you mean serde\?/],
    ["a text for a number", { busyTimeoutMs: "5" }, /busyTimeoutMs must be/],
    ["a serde that is none", { serde: {} }, /serde must be a LangGraph serializer/],
    ["a number for a serde", { serde: 5 }, /serde must be .*not a number/],
    ["a codec that is none", { codec: {} }, /codec must be an object \(seal, open, digest\)/],
    ["null", null, /SqliteSaver\.fromConnString takes an object/],
    ["a number", 5, /SqliteSaver\.fromConnString takes an object/],
  ])("of SqliteSaver.fromConnString: %s", (_name, options, message) => {
    expect(refusal(() => memory(options))).toMatchObject({
      code: "invalid_options",
      message: expect.stringMatching(message) as string,
    });
  });

  it.each<[string, () => unknown, RegExp]>([
    ["a path", () => new SqliteSaver("x.db" as never), /SqliteSaver\.fromConnString.*not a string/],
    ["nothing", () => new SqliteSaver(undefined as never), /fromConnString.*not undefined/],
    ["null", () => new SqliteSaver(null as never), /fromConnString.*not null/],
    ["an object of another kind", () => new SqliteSaver({} as never), /exec, prepare, close/],
    ["a serde that is none", () => new SqliteSaver(database(), {} as never), /serde must be/],
    ["no serde", () => new SqliteSaver(database(), null as never), /serde must be .*not null/],
    [
      "options that are none",
      () => new SqliteSaver(database(), serde, null as never),
      /takes an object/,
    ],
    [
      "an option of another way",
      () => new SqliteSaver(database(), serde, { serde } as never),
      /has no option serde/,
    ],
    [
      "a codec that is none",
      () => new SqliteSaver(database(), serde, { codec: {} as never }),
      /codec must be/,
    ],
  ])("of new SqliteSaver: %s", (_name, work, message) => {
    expect(refusal(work)).toMatchObject({
      code: "invalid_options",
      message: expect.stringMatching(message) as string,
    });
  });

  it.each<[string, unknown, RegExp]>([
    ["SqliteSaver's name", { serde }, /serde; did you mean serializer\?/],
    ["types", { types: {} }, /no option types/],
    ["a serializer of another kind", { serializer: {} }, /serializer must be a MsgpackSerializer/],
    ["null", null, /wrapSaver takes an object/],
  ])("of wrapSaver: %s", (_name, options, message) => {
    expect(refusal(() => wrapSaver(new MemorySaver(), options as never))).toMatchObject({
      code: "invalid_options",
      message: expect.stringMatching(message) as string,
    });
  });
});

describe("types that contradict those of before", () => {
  class Money {
    readonly cents: number = 5;
  }
  const Other = { Money: class Money {} };
  const config = { configurable: { thread_id: "1" } };

  it("are refused when they are given, and the graph goes on as it was", async () => {
    const hardened = withAllowlist(graph(memory(), new Money()), { types: { Money } });
    const { code } = refusal(() => withAllowlist(hardened, { types: Other, untracked: ["v"] }));
    expect(code).toBe("invalid_options");
    expect((await hardened.invoke({}, config)).v).toBeInstanceOf(Money);
    expect((await hardened.getState(config)).values.v).toBeInstanceOf(Money);
  });

  it.each<[string, () => unknown]>([
    ["a saver", () => memory({ serde: new MsgpackSerializer({ types: { Money } }) })],
    [
      "a wrapped saver",
      () =>
        wrapSaver(new MemorySaver(), { serializer: new MsgpackSerializer({ types: { Money } }) }),
    ],
  ])("and those of %s, with nothing changed", async (_name, open) => {
    const plain = graph(open(), new Money());
    const before = { ...channelsOf(plain) };
    const { checkpointer } = plain;
    refusal(() => withAllowlist(plain, { types: Other, untracked: ["v"] }));
    expect(channelsOf(plain)).toEqual(before);
    expect(plain.checkpointer).toBe(checkpointer);
    await plain.invoke({}, config);
    expect((await plain.getState(config)).values.v).toBeInstanceOf(Money);
  });

  it("and those of a subgraph, with nothing changed around it", () => {
    const child = withAllowlist(graph(), { types: { Money } });
    const parent = looseGraph(State).addNode("child", child).addEdge(START, "child").compile();
    const before = { ...channelsOf(parent) };
    refusal(() => withAllowlist(parent, { types: Other, untracked: ["v"] }));
    expect(channelsOf(parent)).toEqual(before);
  });

  it("as a saver that can't be used leaves the graph as it was", () => {
    const plain = graph(new SqliteSaver(database(), new MemorySaver().serde), 1);
    const before = { ...channelsOf(plain) };
    expect(refusal(() => withAllowlist(plain, { untracked: ["v"] })).code).toBe("unsupported");
    expect(channelsOf(plain)).toEqual(before);
  });
});

describe("calls that lack something", () => {
  const savers: [string, () => object][] = [
    ["SqliteSaver", () => memory()],
    ["a wrapped saver", () => wrapSaver(new MemorySaver())],
    ["a hardened graph's", () => withAllowlist(graph(memory())).checkpointer as object],
  ];
  it.each(savers)("of %s, are refused with a code", async (_name, open) => {
    const saver = open() as SqliteSaver;
    const nothing = undefined as never;
    for (const work of [
      () => saver.getTuple(nothing),
      () => saver.put(nothing, nothing, nothing, nothing),
      () => saver.putWrites(nothing, [], "task"),
    ])
      await expect((async () => work())()).rejects.toMatchObject({ code: "invalid_config" });
  });

  it("a transaction that somebody else left open is named", async () => {
    const db = database();
    const saver = new SqliteSaver(db);
    const hardened = withAllowlist(graph(saver));
    db.exec("BEGIN");
    const config = { configurable: { thread_id: "1" } };
    await expect(hardened.invoke({}, config)).rejects.toMatchObject({
      code: "database_error",
      message: expect.stringContaining("transaction that somebody else began") as string,
    });
    db.exec("ROLLBACK");
    await hardened.invoke({}, config);
    const other = database();
    other.exec("BEGIN");
    expect(refusal(() => new SqliteSaver(other)).message).toContain("somebody else began");
  });
});
