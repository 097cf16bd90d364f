import { MemorySaver } from "@langchain/langgraph";
import Database from "better-sqlite3";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SaverError, SqliteSaver, type StorageCodec, wrapSaver } from "../src/index.ts";
import { temporaryFolders } from "./support/temp.ts";
import { caught, checkpointOf, collect, METADATA, thread } from "./support/thread.ts";

const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
const record = (names: readonly string[], value: unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, value]));

async function code(work: () => unknown): Promise<unknown> {
  const error = await caught(async () => work());
  return SaverError.is(error) ? error.code : error;
}

const SAVERS: [string, () => any][] = [
  ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
  ["a wrapped saver", () => wrapSaver(new MemorySaver())],
];

describe.each(SAVERS)("%s", (name, open) => {
  it("keeps channels with the names that every object has", async () => {
    const saver = open();
    const names = name === "SqliteSaver" ? NAMES : NAMES.filter((n) => n !== "__proto__");
    const values = record(names, { a: 1 });
    const versions = record(names, 1) as Record<string, number>;
    const checkpoint = checkpointOf(values, { channel_versions: versions });
    const config = await saver.put(thread("1"), checkpoint, METADATA, versions);
    for (const [i, channel] of NAMES.entries())
      await saver.putWrites(
        config,
        [
          ["a", i],
          [channel, { i }],
        ],
        `task${i}`,
      );
    const tuple = await saver.getTuple(config);
    expect(Object.entries(tuple.checkpoint.channel_values)).toStrictEqual(Object.entries(values));
    expect(new Set(tuple.pendingWrites)).toStrictEqual(
      new Set(
        NAMES.flatMap((channel, i) => [
          [`task${i}`, "a", i],
          [`task${i}`, channel, { i }],
        ]),
      ),
    );
  });

  it("refuses what is no checkpoint, no versions and no writes, with a code", async () => {
    const saver = open();
    const good = checkpointOf({ a: 1 });
    const put = (checkpoint: unknown, versions: unknown = { a: 1 }) =>
      code(() => saver.put(thread("1"), checkpoint, METADATA, versions));
    for (const bad of [undefined, null, 5, { ...good, channel_values: null }])
      expect(await put(bad)).toBe("invalid_options");
    expect(await put({ ...good, channel_versions: null })).toBe("invalid_options");
    for (const version of [{}, null, 5n, true])
      expect(await put({ ...good, channel_versions: { a: version } })).toBe("invalid_options");
    for (const versions of [null, 5, { a: {} }])
      expect(await put(good, versions)).toBe("invalid_options");
    const config = await saver.put(thread("1"), good, METADATA, { a: 1 });
    for (const writes of [undefined, null, 5, "x", {}, [5], [null]])
      expect(await code(() => saver.putWrites(config, writes, "t"))).toBe("invalid_options");
    expect(await code(() => collect(saver.list(thread("1"), null)))).toBe("invalid_options");
  });
});

describe("a wrapped saver", () => {
  it("refuses ids that the saver below may take for a property", async () => {
    const saver = wrapSaver(new MemorySaver()) as any;
    const at = (id: unknown, other = {}) => ({ configurable: { thread_id: id, ...other } });
    for (const id of ["__proto__", "constructor"]) {
      const place = at(id, { checkpoint_id: "1" });
      for (const work of [
        () => saver.put(at(id), checkpointOf({}), METADATA, {}),
        () => saver.getTuple(at(id)),
        () => saver.putWrites(place, [["a", 1]], "t"),
        () => collect(saver.list(at(id))),
        () => saver.deleteThread(id),
        () => saver.getTuple(at("1", { checkpoint_id: id })),
      ])
        expect(await code(work)).toBe("invalid_config");
    }
    expect(await code(() => saver.getTuple(at("1", { checkpoint_id: {} })))).toBe("invalid_config");
    const before = { before: at(undefined, { checkpoint_id: 5 }) };
    expect(await code(() => collect(saver.list(at("1"), before)))).toBe("invalid_config");
    for (const config of [undefined, null])
      expect(await code(() => collect(saver.list(config)))).toBe("invalid_config");
  });
});

describe("options of SqliteSaver", () => {
  it("are refused when the database can't take them", async () => {
    const open = (): unknown => SqliteSaver.fromConnString(":memory:", { busyTimeoutMs: 1e12 });
    expect(await code(open)).toBe("invalid_options");
  });

  it("name what a codec does wrong", async () => {
    const good: StorageCodec = {
      seal: (bytes) => bytes,
      open: (bytes) => bytes,
      digest: () => new Uint8Array(32),
    };
    const cause = new Error("no key");
    const fail = (): never => {
      throw cause;
    };
    for (const [part, expected] of [
      [{ seal: fail }, "unsupported"],
      [{ digest: fail }, "unsupported"],
      [{ seal: () => 5 }, "invalid_options"],
      [{ seal: async (bytes: Uint8Array) => bytes }, "invalid_options"],
      [{ seal: () => Promise.reject(cause) }, "invalid_options"],
      [{ digest: () => "abc" }, "invalid_options"],
      [{ digest: () => new Uint8Array(3) }, "invalid_options"],
    ] as const) {
      const codec = { ...good, ...part } as unknown as StorageCodec;
      const saver = SqliteSaver.fromConnString(":memory:", { codec });
      const values = { a: "q".repeat(900) };
      const put = saver.put(thread("1"), checkpointOf(values), METADATA, { a: 1 });
      const error = await caught(() => put);
      expect(error).toMatchObject({ name: "SaverError", code: expected });
      if (expected === "unsupported") expect(error.cause).toBe(cause);
    }
  });
});

describe("a checkpoint's header", () => {
  const folder = temporaryFolders();

  it("that is another one's is damage", async () => {
    const file = path.join(folder(), "a.db");
    const saver = SqliteSaver.fromConnString(file);
    const put = (id: string) =>
      saver.put(thread("1"), checkpointOf({ a: id }, { id }), METADATA, { a: Number(id) });
    const first = await put("1");
    await put("2");
    await saver.close();
    const db = new Database(file);
    db.exec(
      `UPDATE tk_checkpoints SET header =
         (SELECT header FROM tk_checkpoints WHERE checkpoint_id = '2') WHERE checkpoint_id = '1'`,
    );
    db.close();
    const again = SqliteSaver.fromConnString(file);
    expect(await code(() => again.getTuple(first))).toBe("corrupt");
    expect(await code(() => collect(again.list(thread("1"))))).toBe("corrupt");
    await again.close();
  });
});
