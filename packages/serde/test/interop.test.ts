import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { check, findPython, vectors, writeFixture } from "../interop/python.mjs";
import { isInert, MsgpackSerializer } from "../src/index.ts";
import { sharedCases } from "./cases/shared.ts";

interface Row {
  readonly name: string;
  readonly tag: string;
  readonly hex: string;
  readonly verdict?: string;
}

/** Python's payloads, what we store of them again, and our own; with what Python said of these. */
const written = read("vectors.json");
const again = new Map(read("stored-again.json").map((row) => [row.name, row]));
const dumped = new Map(read("dumps.json").map((row) => [row.name, row]));

const serializer = new MsgpackSerializer({ onBlocked: "inert" });
const python = findPython();
const rewrite = process.env.THREADKEEP_WRITE === "1";

const storedAgain = written.map(({ name, tag, hex }) => {
  const value = serializer.read(tag, Buffer.from(hex, "hex"));
  const { tag: ours, bytes } = serializer.write(value);
  return { name, tag: ours, hex: Buffer.from(bytes).toString("hex") };
});
const dumps = sharedCases.map(({ name, value }) => {
  const { tag, bytes } = serializer.write(value());
  return { name, tag, hex: Buffer.from(bytes).toString("hex") };
});

describe("what Python wrote", () => {
  it.each(written)("loads and is stored again as the same for Python: $name", (row) => {
    const mine = storedAgain.find(({ name }) => name === row.name);
    if (mine?.hex === row.hex && mine.tag === row.tag) return;
    // Where the bytes differ, Python has said that what it reads of them is equal.
    expect(again.get(row.name)).toStrictEqual({ ...mine, verdict: "equal" });
  });

  const load = (name: string): unknown => {
    const row = written.find((it) => it.name === name);
    return serializer.read(row?.tag ?? "", Buffer.from(row?.hex ?? "", "hex"));
  };

  it("loads as what JavaScript has for it", () => {
    expect(load("utc datetime of milliseconds")).toStrictEqual(
      new Date("2024-04-19T23:04:57.051Z"),
    );
    expect(load("set")).toStrictEqual(new Set([1, 2, 3]));
    expect(load("mixed keys")).toStrictEqual(
      new Map<unknown, unknown>([
        ["a", 1],
        [5, 2],
        ["b", { c: 3 }],
        [[1], 4],
        ["1", 5],
        ["0", 6],
      ]),
    );
    expect(load("nested mixed keys")).toStrictEqual({
      a: new Map([[1, { b: new Map([[2, { c: 3 }]]) }]]),
    });
    expect(load("float32 array")).toStrictEqual(new Float32Array([0, 1, 2, 3]));
    expect(load("integers around 2^53")).toStrictEqual([
      2 ** 53 - 1,
      2n ** 53n,
      2n ** 53n + 1n,
      -(2 ** 53) + 1,
      -(2n ** 53n),
      -(2n ** 53n) - 1n,
    ]);
    expect(load("regex with flags")).toStrictEqual(/foo.\d/ims);
    expect(load("small integer")).toBe(1);
  });

  it("loads as an inert value that says what it is", () => {
    const inert = (name: string): string => {
      const value = load(name);
      return isInert(value)
        ? `${String(value)} ${JSON.stringify(value.contents)}`
        : `no: ${String(value)}`;
    };
    expect(inert("decimal")).toBe('[inert decimal.Decimal] "1.10101"');
    expect(inert("uuid")).toBe('[inert uuid.UUID] "00000000000000000000000000000001"');
    expect(inert("date")).toBe("[inert datetime.date] [2024,4,19]");
    expect(inert("path")).toBe('[inert pathlib.PosixPath] ["foo","bar"]');
    expect(inert("pydantic")).toBe(
      '[inert shared_types.Model] {"foo":"foo","bar":1,"inner":{"hello":"hello"}}',
    );
    expect(inert("array of two dimensions")).toContain(
      '[inert numpy.ndarray] {"dtype":"<i4","shape":[3,3],"order":"C"',
    );
    const dates = [
      "utc datetime of microseconds",
      "naive datetime",
      "datetime with offset",
      "date",
    ].map((name) => {
      const value = load(name);
      return isInert(value) ? value.toDate()?.toISOString() : value;
    });
    expect(dates).toStrictEqual([
      "2024-04-19T23:04:57.051Z",
      "2024-04-19T23:04:57.000Z",
      "2024-04-18T23:05:57.051Z",
      "2024-04-19T00:00:00.000Z",
    ]);
    expect(
      isInert(load("uuid")) && (load("uuid") as { toDate(): unknown }).toDate(),
    ).toBeUndefined();
  });

  it("loads as the plain record that LangGraph.js looks for", () => {
    const interrupt = load("interrupt");
    expect({ ...(interrupt as object) }).toStrictEqual({
      value: { question: "ok?" },
      id: "i1",
      response_schema: null,
    });
    expect(JSON.stringify(interrupt)).toBe(
      '{"value":{"question":"ok?"},"id":"i1","response_schema":null}',
    );
    expect(load("item")).toMatchObject({
      key: "my-key",
      namespace: ["a", "name"],
      value: { a: 1 },
      updatedAt: "2024-09-24T17:29:11+00:00",
    });
  });
});

describe("what we write", () => {
  it.each(sharedCases)(
    "is for Python what it is here, or makes it raise: $name",
    ({ name, python: expression }) => {
      const mine = dumps.find((row) => row.name === name);
      const verdict = expression === undefined ? "raises NotImplementedError" : "equal";
      expect(mine?.tag).toBe(expression === undefined ? "msgpack+js" : "msgpack");
      expect(dumped.get(name)).toStrictEqual({ ...mine, verdict });
    },
  );
});

describe("the Python that is here", () => {
  it("says the same as the recorded one, where there is one", { timeout: 120_000 }, () => {
    if (python === undefined) {
      console.warn(
        "NOT CHECKED: no Python with LangGraph here; run `node interop/python.mjs setup` in packages/serde. The recorded verdicts were used.",
      );
      return;
    }
    const askAgain = storedAgain.map((row) => ({ ...row, vector: row.name }));
    const ask = dumps.map((row, i) => {
      const expression = sharedCases[i]?.python;
      return expression === undefined ? row : { ...row, python: expression };
    });
    const verdicts = new Map(
      check(python, [
        ...askAgain.map((row) => ({ ...row, name: `again ${row.name}` })),
        ...ask,
      ]).map(({ name, verdict }) => [name, verdict]),
    );
    if (rewrite) {
      const differ = storedAgain.filter(
        (row, i) => row.hex !== written[i]?.hex || row.tag !== written[i]?.tag,
      );
      writeFixture(
        "stored-again.json",
        differ.map((row) => ({ ...row, verdict: verdicts.get(`again ${row.name}`) })),
      );
      writeFixture(
        "dumps.json",
        dumps.map((row) => ({ ...row, verdict: verdicts.get(row.name) })),
      );
    }
    for (const { name } of storedAgain)
      expect([name, verdicts.get(`again ${name}`)]).toStrictEqual([name, "equal"]);
    for (const { name, python: expression } of sharedCases)
      expect([name, verdicts.get(name)]).toStrictEqual([
        name,
        expression === undefined ? "raises NotImplementedError" : "equal",
      ]);
    expect(
      vectors(python).filter(
        (row: Row) => row.hex !== written.find(({ name }) => name === row.name)?.hex,
      ),
    ).toStrictEqual([]);
  });

  afterAll(() => {
    if (python !== undefined) console.log("Checked with LangGraph for Python.");
  });
});

function read(name: string): Row[] {
  try {
    return JSON.parse(readFileSync(new URL(`interop/${name}`, import.meta.url), "utf8")) as Row[];
  } catch (error) {
    if (process.env.THREADKEEP_WRITE === "1") return [];
    throw error;
  }
}
