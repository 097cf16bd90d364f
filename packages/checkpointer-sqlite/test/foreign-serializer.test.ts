import { JsonPlusSerializer, type SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SaverError, SqliteSaver } from "../src/index.ts";
import { caught, checkpointOf, collect, METADATA, thread } from "./support/thread.ts";

const CAUSE = new Error("the key was changed");

/** A serializer of somebody else, whose methods reject, throw or give nonsense while it is broken. */
function brokenSerializer(fail: () => unknown): SerializerProtocol & { isBroken: boolean } {
  const json = new JsonPlusSerializer();
  return {
    isBroken: false,
    dumpsTyped(value) {
      return this.isBroken ? (fail() as Promise<[string, Uint8Array]>) : json.dumpsTyped(value);
    },
    loadsTyped(type, data) {
      return this.isBroken ? (fail() as Promise<unknown>) : json.loadsTyped(type, data);
    },
  };
}

describe.each<[string, () => unknown]>([
  ["rejects", () => Promise.reject(CAUSE)],
  ["rejects later", () => new Promise((_, reject) => setTimeout(() => reject(CAUSE), 5))],
  [
    "throws",
    () => {
      throw CAUSE;
    },
  ],
])("a foreign serializer that %s", (_, fail) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(() => void process.off("unhandledRejection", note));

  it("gives one error with a code and the place, and nothing else is left to fail", async () => {
    const serde = brokenSerializer(fail);
    const saver = SqliteSaver.fromConnString(":memory:", { serde });
    const values = { first: 1, second: [2], third: { n: 3 } };
    const checkpoint = checkpointOf(values, { id: "c1" });
    const versions = checkpoint.channel_versions;
    const config = await saver.put(thread("t 1"), checkpoint, METADATA, versions);
    await saver.putWrites(
      config,
      [
        ["first", 4],
        ["second", 5],
      ],
      "task",
    );
    const child = await saver.put(config, { ...checkpointOf({}), id: "c2" }, METADATA, {});

    serde.isBroken = true;
    const history = { config: child, channels: ["first", "second"] };
    const filter = { filter: { step: 1 } };
    for (const [call, channel] of [
      [() => saver.getTuple(config), "first"],
      [() => collect(saver.list(thread("t 1"))), undefined],
      [() => collect(saver.list(thread("t 1"), filter)), "metadata"],
      [() => saver.getDeltaChannelHistory(history), "first"],
      [() => saver.put(thread("t 1"), { ...checkpoint, id: "c1" }, METADATA, versions), "first"],
      [
        () =>
          saver.putWrites(
            config,
            [
              ["first", 4],
              ["second", 5],
            ],
            "other",
          ),
        "first",
      ],
    ] as const) {
      const error = (await caught(call)) as SaverError;
      expect(SaverError.is(error) && error.code).toBe("unsupported");
      expect(error.cause).toBe(CAUSE);
      expect(error.message).toContain('thread "t 1"');
      expect(error.message).toMatch(/checkpoint c[12]/);
      if (channel !== undefined) expect(error.message).toContain(`channel "${channel}"`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toStrictEqual([]);

    // Nothing was stored by the writes that failed.
    serde.isBroken = false;
    const tuple = await saver.getTuple(config);
    expect(tuple?.checkpoint.channel_values).toStrictEqual(values);
    expect(tuple?.pendingWrites).toHaveLength(2);
  });
});

it.each([undefined, 5, [], [5, new Uint8Array()]])(
  "a foreign serializer that gives no typed bytes (%j) is told",
  async (given) => {
    const serde = brokenSerializer(() => given);
    serde.isBroken = true;
    const saver = SqliteSaver.fromConnString(":memory:", { serde });
    const put = saver.put(thread("1"), checkpointOf({ a: 1, b: 2 }), METADATA, { a: 1, b: 1 });
    expect(await caught(() => put)).toMatchObject({ name: "SaverError", code: "unsupported" });
  },
);
