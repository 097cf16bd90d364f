import path from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver, Send } from "@langchain/langgraph";
import {
  BaseCheckpointSaver,
  type CheckpointMetadata,
  DeltaSnapshot,
  ERROR,
  INTERRUPT,
  RESUME,
  SCHEDULED,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import { SerdeError } from "@threadkeep/serde";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SqliteDatabase, SqliteSaver } from "../../src/index.ts";
import { temporaryFolders } from "../support/temp.ts";
import {
  caught,
  checkpointOf,
  collect,
  idOf,
  latest,
  METADATA,
  Steps,
  thread,
  valuesOf,
} from "../support/thread.ts";

/** What every driver's saver has to do. `open` opens or creates a database file. */
export function saverContract(driver: string, open: (file: string) => SqliteDatabase): void {
  describe(`SqliteSaver on ${driver}`, () => {
    const folder = temporaryFolders();
    let file: string;
    let saver: SqliteSaver;

    beforeEach(() => {
      file = path.join(folder(), "contract.db");
      saver = new SqliteSaver(open(file));
    });

    afterEach(() => saver.close());

    async function reopen(): Promise<void> {
      await saver.close();
      saver = new SqliteSaver(open(file));
    }

    describe("a checkpoint", () => {
      it("comes back with everything it was put with, also in another process", async () => {
        const checkpoint = checkpointOf(
          { messages: [new HumanMessage({ content: "hi", id: "1" })], n: 1n, nothing: null },
          { versions_seen: { node: { messages: 1 }, other: {} } },
        );
        const metadata = { source: "input", step: -1, parents: {}, at: new Date(5) } as never;
        const config = await saver.put(
          thread("1"),
          checkpoint,
          metadata,
          checkpoint.channel_versions,
        );
        await reopen();
        const tuple = await latest(saver, thread("1"));
        expect(tuple.checkpoint).toStrictEqual(checkpoint);
        expect(tuple.metadata).toStrictEqual(metadata);
        expect(tuple.config).toStrictEqual(config);
        expect(tuple.parentConfig).toBeUndefined();
        expect(tuple.pendingWrites).toStrictEqual([]);
      });

      it("keeps fields that this version does not know", async () => {
        const checkpoint = {
          ...checkpointOf({ a: 1 }),
          updated_channels: ["a"],
          deep: { er: [1] },
        };
        await saver.put(thread("1"), checkpoint, METADATA, { a: 1 });
        expect((await latest(saver, thread("1"))).checkpoint).toStrictEqual(checkpoint);
      });

      it("is the latest of its thread and namespace, or the one that is asked for", async () => {
        const steps = new Steps(saver, thread("1"));
        const first = await steps.step({ a: 1 });
        const second = await steps.step({ a: 2 });
        await new Steps(saver, thread("1", "child:1")).step({ a: 3 });
        await new Steps(saver, thread("2")).step({ a: 4 });
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 2 });
        expect(await valuesOf(saver, first)).toStrictEqual({ a: 1 });
        expect((await latest(saver, second)).parentConfig).toStrictEqual(first);
        expect(await valuesOf(saver, thread("1", "child:1"))).toStrictEqual({ a: 3 });
        expect(await saver.getTuple(thread("3"))).toBeUndefined();
        expect(await saver.getTuple({ configurable: {} })).toBeUndefined();
      });

      it("replaces the one of its id", async () => {
        const checkpoint = checkpointOf({ a: 1 });
        await saver.put(thread("1"), checkpoint, METADATA, { a: 1 });
        const again = { ...checkpoint, channel_values: { a: 2 }, channel_versions: { a: 2 } };
        await saver.put(thread("1"), again, { ...METADATA, step: 9 }, { a: 2 });
        const tuple = await latest(saver, thread("1"));
        expect(tuple.checkpoint).toStrictEqual(again);
        expect(tuple.metadata?.step).toBe(9);
        expect(await collect(saver.list(thread("1")))).toHaveLength(1);
      });

      it("orders ids of one millisecond as they were made", async () => {
        const steps = new Steps(saver, thread("1"));
        const ids: string[] = [];
        for (let i = 0; i < 50; i++) {
          ids.push(idOf(await steps.step({ i })));
          expect(await valuesOf(saver, thread("1"))).toStrictEqual({ i });
        }
        const listed = (await collect(saver.list(thread("1")))).map(({ config }) => idOf(config));
        expect(listed).toStrictEqual(ids.reverse());
      });

      it("is what its objects were when it was put", async () => {
        const message = new HumanMessage({ content: "before", id: "1" });
        const state = { list: [message], deep: { n: 1 } };
        const checkpoint = checkpointOf(state);
        const done = saver.put(thread("1"), checkpoint, METADATA, checkpoint.channel_versions);
        message.content = "after";
        state.deep.n = 2;
        state.list.push(message);
        checkpoint.channel_versions.deep = 99;
        await done;
        const tuple = await latest(saver, thread("1"));
        expect(
          (tuple.checkpoint.channel_values.list as HumanMessage[]).map((m) => m.content),
        ).toStrictEqual(["before"]);
        expect(tuple.checkpoint.channel_values.deep).toStrictEqual({ n: 1 });
        expect(tuple.checkpoint.channel_versions.deep).toBe(1);
      });

      it("leaves out channels without a value, and keeps odd names", async () => {
        const values = {
          gone: undefined,
          "": 1,
          "a.b": 2,
          'q"': 3,
          "branch:to:x": null,
          ["__proto__x"]: 4,
        };
        const checkpoint = checkpointOf(values);
        await saver.put(thread("1"), checkpoint, METADATA, checkpoint.channel_versions);
        const { gone: _, ...kept } = values;
        expect(await valuesOf(saver, thread("1"))).toStrictEqual(kept);
      });

      it("takes a channel named __proto__ for a channel", async () => {
        const values = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
        const versions = JSON.parse('{"__proto__": 1}') as Record<string, number>;
        await saver.put(
          thread("1"),
          checkpointOf(values, { channel_versions: versions }),
          METADATA,
          versions,
        );
        const found = (await valuesOf(saver, thread("1"))) as Record<string, unknown>;
        expect(Object.keys(found)).toStrictEqual(["__proto__"]);
        expect(found.admin).toBeUndefined();
      });
    });

    describe("values by version", () => {
      it("are not stored again where a step leaves them alone", async () => {
        const steps = new Steps(saver, thread("1"));
        await steps.step({ a: ["x".repeat(200)], b: 1 });
        await steps.step({ a: "never looked at", b: 2 }, ["b"]);
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: ["x".repeat(200)], b: 2 });
      });

      it("are found when nothing is new", async () => {
        const steps = new Steps(saver, thread("1"));
        await steps.step({ a: 1, b: [2] });
        await steps.step({ a: 1, b: [2] }, []);
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 1, b: [2] });
      });

      it("are stored when their version is not there", async () => {
        const parent = await new Steps(saver, thread("1")).step({ a: 1 });
        const checkpoint = checkpointOf(
          { a: 1, late: ["v"] },
          { channel_versions: { a: 7, late: 8 } },
        );
        await saver.put(parent, checkpoint, METADATA, {});
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 1, late: ["v"] });
      });

      it("of two branches never meet, though their versions are equal", async () => {
        const root = await saver.put(thread("1"), checkpointOf({ a: 0 }), METADATA, { a: 1 });
        const versions = { channel_versions: { a: 2 } };
        const left = await saver.put(root, checkpointOf({ a: "left" }, versions), METADATA, {
          a: 2,
        });
        const right = await saver.put(root, checkpointOf({ a: "right" }, versions), METADATA, {
          a: 2,
        });
        const leftOn = await saver.put(
          left,
          checkpointOf({ a: "left", b: 1 }, { channel_versions: { a: 2, b: 3 } }),
          METADATA,
          { b: 3 },
        );
        const rightOn = await saver.put(
          right,
          checkpointOf({ a: "right" }, versions),
          METADATA,
          {},
        );
        for (const [config, a] of [
          [left, "left"],
          [right, "right"],
          [leftOn, "left"],
          [rightOn, "right"],
        ] as const)
          expect((await valuesOf(saver, config))?.a).toBe(a);
      });

      it("grow by a random fraction, so that branches differ", () => {
        const versions = Array.from({ length: 20 }, () => saver.getNextVersion(3.5));
        expect(new Set(versions).size).toBe(20);
        for (const version of versions) expect(Math.floor(version)).toBe(4);
        expect(saver.getNextVersion(undefined)).toBeGreaterThanOrEqual(1);
      });

      it("stay strings where a thread has strings", () => {
        const next = saver.getNextVersion.bind(saver) as unknown as (version: string) => string;
        const first = next("00000000000000000000000000000041.0123456789012345");
        expect(first).toMatch(/^0{30}42\.0\.\d{16}$/);
        expect(next(first) > first).toBe(true);
      });
    });

    describe("a listing", () => {
      const meta = (fields: Record<string, unknown>): CheckpointMetadata =>
        ({ ...METADATA, ...fields }) as never;

      async function fill(): Promise<string[]> {
        const ids: string[] = [];
        for (const fields of [
          { user: "ada", "a.b": 1, tag: null, ok: true },
          { user: "bob", "a.b": 2, 'quo"te': "x'y", ok: false },
          { user: "ada", n: 5, deep: { x: 1 } },
        ]) {
          const checkpoint = checkpointOf({ user: fields.user });
          await saver.put(thread("1"), checkpoint, meta(fields), checkpoint.channel_versions);
          ids.push(checkpoint.id);
        }
        return ids;
      }

      const listed = async (filter: Record<string, unknown>): Promise<unknown[]> =>
        (await collect(saver.list(thread("1"), { filter }))).map(({ config }) => idOf(config));

      it("goes from the newest on, up to a limit, from below an id", async () => {
        const [first, second, third] = await fill();
        const ids = async (options: object): Promise<string[]> =>
          (await collect(saver.list(thread("1"), options))).map(({ config }) => idOf(config));
        expect(await ids({})).toStrictEqual([third, second, first]);
        expect(await ids({ limit: 2 })).toStrictEqual([third, second]);
        expect(await ids({ limit: 0 })).toStrictEqual([]);
        const before = { configurable: { thread_id: "1", checkpoint_id: third } };
        expect(await ids({ before })).toStrictEqual([second, first]);
        expect(await ids({ before, limit: 1 })).toStrictEqual([second]);
      });

      it("takes keys as they are written, and primitive values", async () => {
        const [first, second, third] = await fill();
        expect(await listed({ user: "ada" })).toStrictEqual([third, first]);
        expect(await listed({ user: "ada", n: 5 })).toStrictEqual([third]);
        expect(await listed({ "a.b": 1 })).toStrictEqual([first]);
        expect(await listed({ 'quo"te': "x'y" })).toStrictEqual([second]);
        expect(await listed({ tag: null })).toStrictEqual([first]);
        expect(await listed({ ok: false })).toStrictEqual([second]);
        expect(await listed({ n: "5" })).toStrictEqual([]);
        expect(await listed({ deep: { x: 1 } })).toStrictEqual([third]);
        expect(await listed({ source: "loop" })).toHaveLength(3);
      });

      it.each(["a", "deep.x", "$.user", "__proto__", "constructor", "toString", "' OR 1=1 --", ""])(
        "finds nothing under the key %j",
        async (key) => {
          await fill();
          expect(await listed(Object.fromEntries([[key, 1]]))).toStrictEqual([]);
          expect(await listed(Object.fromEntries([[key, null]]))).toStrictEqual([]);
        },
      );

      it("stops at the limit behind the filter", async () => {
        const [first, , third] = await fill();
        const found = await collect(saver.list(thread("1"), { filter: { user: "ada" }, limit: 2 }));
        expect(found.map(({ config }) => idOf(config))).toStrictEqual([third, first]);
      });

      it("shows every thread and namespace where none is named", async () => {
        await fill();
        await new Steps(saver, thread("2", "child")).step({ a: 1 });
        expect(await collect(saver.list({}))).toHaveLength(4);
        expect(
          await collect(saver.list({ configurable: { checkpoint_ns: "child" } })),
        ).toHaveLength(1);
        expect(await collect(saver.list(thread("1", "child")))).toHaveLength(0);
      });

      it("holds nothing open: others write and delete meanwhile", async () => {
        await new Steps(saver, thread("0")).step({ other: true });
        const steps = new Steps(saver, thread("1"));
        for (let i = 0; i < 80; i++) await steps.step({ i });
        let count = 0;
        for await (const tuple of saver.list({})) {
          count++;
          if (count === 10) await saver.deleteThread("1");
          expect(tuple.checkpoint.channel_values).toBeDefined();
        }
        expect(count).toBe(11);
      });
    });

    describe("pending writes", () => {
      let config: Awaited<ReturnType<Steps["step"]>>;

      beforeEach(async () => {
        config = await new Steps(saver, thread("1")).step({ a: 1 });
      });

      const pending = async (): Promise<unknown> => (await latest(saver, config)).pendingWrites;

      it("come back in order of path, task and place", async () => {
        await saver.putWrites(
          config,
          [
            ["b", 1],
            ["a", 2],
          ],
          "task-2",
          "~__pregel_pull, z",
        );
        await saver.putWrites(config, [["c", 3]], "task-1", "~__pregel_pull, z");
        await saver.putWrites(config, [["d", 4]], "task-9", "~__pregel_pull, \u{1f600}");
        await saver.putWrites(config, [["e", 5]], "task-0", "~__pregel_pull, \uffee");
        await saver.putWrites(config, [["input", 6]], "task-8");
        expect(await pending()).toStrictEqual([
          ["task-8", "input", 6],
          ["task-1", "c", 3],
          ["task-2", "b", 1],
          ["task-2", "a", 2],
          // By code point, as Python has it: a smiley comes after everything of the basic plane.
          ["task-0", "e", 5],
          ["task-9", "d", 4],
        ]);
      });

      it("keep the first output of a task, and the last error, interrupt or resume", async () => {
        await saver.putWrites(
          config,
          [
            ["a", 1],
            [INTERRUPT, "i1"],
            [RESUME, "r1"],
          ],
          "t",
        );
        await saver.putWrites(
          config,
          [
            ["a", 2],
            [INTERRUPT, "i2"],
            [RESUME, "r2"],
            [ERROR, "e"],
            [SCHEDULED, "s"],
          ],
          "t",
        );
        const found = (await pending()) as [string, string, unknown][];
        expect(
          Object.fromEntries(found.map(([, channel, value]) => [channel, value])),
        ).toStrictEqual({
          a: 1,
          [INTERRUPT]: "i2",
          [RESUME]: "r2",
          [ERROR]: "e",
          [SCHEDULED]: "s",
        });
      });

      it("may be none", async () => {
        await saver.putWrites(config, [], "t");
        expect(await pending()).toStrictEqual([]);
      });

      it("belong to the root namespace where none is named, and to checkpoints yet to come", async () => {
        const { thread_id, checkpoint_id } = config.configurable as Record<string, string>;
        await saver.putWrites({ configurable: { thread_id, checkpoint_id } }, [["a", 1]], "t");
        expect(await pending()).toStrictEqual([["t", "a", 1]]);
        const checkpoint = checkpointOf({ b: 1 });
        await saver.putWrites(
          { configurable: { thread_id: "new", checkpoint_id: checkpoint.id } },
          [["b", 2]],
          "t",
        );
        await saver.put(thread("new"), checkpoint, METADATA, { b: 1 });
        expect((await latest(saver, thread("new"))).pendingWrites).toStrictEqual([["t", "b", 2]]);
      });

      it("that can't be stored name the node, the place and the class, and store nothing", async () => {
        class Handle {}
        const bad = { deep: [{ handle: new Handle() }], fn: () => 1 };
        const error = await caught(() =>
          saver.putWrites(
            config,
            [
              ["ok", 1],
              ["state", bad],
            ],
            "t",
            "~__pregel_pull, fetch, all",
          ),
        );
        expect(SerdeError.is(error)).toBe(true);
        expect((error as SerdeError).code).toBe("unregistered_class");
        expect((error as SerdeError).path).toBe("state.deep[0].handle");
        expect((error as SerdeError).problems).toHaveLength(2);
        expect(error.message).toContain('"fetch, all"');
        expect(error.message).toContain("Handle");
        expect(await pending()).toStrictEqual([]);
      });

      it("of a bad checkpoint leave the last one as it was", async () => {
        const checkpoint = checkpointOf({ ok: [1], bad: [{ n: 1 }, Symbol("s")] });
        const error = await caught(() =>
          saver.put(config, checkpoint, METADATA, checkpoint.channel_versions),
        );
        expect((error as SerdeError).path).toBe("bad[1]");
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ a: 1 });
        expect(await collect(saver.list(thread("1")))).toHaveLength(1);
      });
    });

    describe("deleting a thread", () => {
      it("removes all of it and nothing else", async () => {
        for (const id of ["1", "2"]) {
          const steps = new Steps(saver, thread(id));
          const config = await steps.step({ big: ["x".repeat(500), "y".repeat(500)] });
          await saver.putWrites(config, [["a", ["z".repeat(500)]]], "t");
          await new Steps(saver, thread(id, "child")).step({ a: 1 });
        }
        await saver.deleteThread("1");
        await saver.deleteThread("never was");
        expect(await saver.getTuple(thread("1"))).toBeUndefined();
        expect(await collect(saver.list(thread("1")))).toStrictEqual([]);
        expect((await valuesOf(saver, thread("2")))?.big).toHaveLength(2);
      });

      it("lets live objects of it be stored again", async () => {
        const big = [{ text: "x".repeat(500) }, { text: "y".repeat(5000) }];
        await new Steps(saver, thread("1")).step({ big });
        await saver.deleteThread("1");
        await new Steps(saver, thread("1")).step({ big });
        expect(await valuesOf(saver, thread("1"))).toStrictEqual({ big });
      });
    });

    describe("the history of delta channels", () => {
      it("is what LangGraph's own walk finds", async () => {
        const channels = ["a", "b", "never"];
        const write = fc.tuple(fc.constantFrom("a", "b", "other"), fc.integer());
        const step = fc.record({
          seeds: fc.subarray(["a", "b"]),
          writes: fc.array(
            fc.tuple(
              fc.constantFrom("t1", "t2"),
              fc.constantFrom("", "~x", "~y"),
              fc.array(write, { maxLength: 3 }),
            ),
            { maxLength: 3 },
          ),
          back: fc.integer({ min: 0, max: 3 }),
        });
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
            const id = `delta-${run++}`;
            const line = [thread(id)];
            for (const [i, { seeds, writes, back }] of steps.entries()) {
              const values = Object.fromEntries(
                seeds.map((channel) => [channel, new DeltaSnapshot([i, channel])]),
              );
              const checkpoint = checkpointOf(values, { channel_versions: { a: i, b: i } });
              const config = await saver.put(
                line[Math.max(0, line.length - 1 - back)] as never,
                checkpoint,
                METADATA,
                { a: i, b: i },
              );
              for (const [task, taskPath, list] of writes)
                await saver.putWrites(config, list, task, taskPath);
              line.push(config);
            }
            for (const config of line) {
              const expected = await BaseCheckpointSaver.prototype.getDeltaChannelHistory.call(
                saver,
                { config, channels },
              );
              expect(await saver.getDeltaChannelHistory({ config, channels })).toStrictEqual(
                expected,
              );
            }
          }),
          { numRuns: 25 },
        );
      });

      it("of a thread that is not there is empty", async () => {
        const channels = ["a"];
        const nothing = { a: { writes: [] } };
        expect(await saver.getDeltaChannelHistory({ config: thread("?"), channels })).toStrictEqual(
          nothing,
        );
        expect(await saver.getDeltaChannelHistory({ config: {}, channels })).toStrictEqual(nothing);
        expect(
          await saver.getDeltaChannelHistory({ config: thread("?"), channels: [] }),
        ).toStrictEqual({});
      });

      it("ends where a checkpoint was given itself for a parent", async () => {
        const checkpoint = checkpointOf({});
        const config = {
          configurable: { thread_id: "1", checkpoint_ns: "", checkpoint_id: checkpoint.id },
        };
        await saver.put(config, checkpoint, METADATA, {});
        await saver.putWrites(config, [["a", 1]], "t");
        expect(await saver.getDeltaChannelHistory({ config, channels: ["a"] })).toStrictEqual({
          a: { writes: [["t", "a", 1]] },
        });
      });
    });

    it("brings Sends of an older format from the parent's writes", async () => {
      const parent = await saver.put(thread("1"), checkpointOf({ a: 1 }, { v: 3 }), METADATA, {
        a: 1,
      });
      await saver.putWrites(
        parent,
        [
          [TASKS, new Send("n", { x: 1 })],
          [TASKS, new Send("n", { x: 2 })],
        ],
        "t",
      );
      await saver.put(
        parent,
        checkpointOf({ a: 1 }, { v: 3, channel_versions: { a: 4 } }),
        METADATA,
        { a: 4 },
      );
      const { checkpoint } = await latest(saver, thread("1"));
      expect((checkpoint.channel_values[TASKS] as Send[]).map((send) => send.args)).toStrictEqual([
        { x: 1 },
        { x: 2 },
      ]);
      expect(checkpoint.channel_versions[TASKS]).toBe(4);
      const [listed] = await collect(saver.list(thread("1"), { limit: 1 }));
      expect(listed?.checkpoint).toStrictEqual(checkpoint);
    });

    describe("another serializer", () => {
      it("stores what it writes, whatever that is", async () => {
        await saver.close();
        const serde = new MemorySaver().serde;
        saver = new SqliteSaver(open(file), serde);
        const steps = new Steps(saver, thread("1"));
        const messages = [new HumanMessage({ content: "x".repeat(2000), id: "1" })];
        const config = await steps.step({ messages, n: 1, bytes: new Uint8Array([1, 2]) });
        await saver.putWrites(config, [["messages", messages]], "t");
        await steps.step({ messages: "never looked at", n: 2 }, ["n"]);
        const tuple = await latest(saver, config);
        expect(
          (tuple.checkpoint.channel_values.messages as HumanMessage[])[0]?.content,
        ).toHaveLength(2000);
        expect(tuple.pendingWrites).toHaveLength(1);
        expect(await valuesOf(saver, thread("1"))).toMatchObject({ n: 2 });
        expect(await collect(saver.list(thread("1"), { filter: { source: "loop" } }))).toHaveLength(
          2,
        );
        expect(() => saver.withAllowlist({})).toThrow(
          expect.objectContaining({ code: "unsupported" }),
        );
      });

      it("is told from ours, which reads both", async () => {
        const foreign = new SqliteSaver(open(file), new MemorySaver().serde);
        await new Steps(saver, thread("ours")).step({ a: [1] });
        await new Steps(foreign, thread("theirs")).step({ a: [1] });
        expect((await caught(() => foreign.getTuple(thread("ours")))).code).toBe("unsupported");
        expect(await valuesOf(saver, thread("theirs"))).toStrictEqual({ a: [1] });
        await foreign.close();
      });
    });

    describe("wrong calls", () => {
      const put = (config: object): Promise<unknown> =>
        saver.put(config, checkpointOf({}), METADATA, {});

      it.each<[string, () => Promise<unknown>]>([
        ["a checkpoint without a thread", () => put({ configurable: {} })],
        ["a thread id that is a number", () => put({ configurable: { thread_id: 42 } })],
        ["an empty thread id", () => put(thread(""))],
        ["a NUL in an id", () => put(thread("a\0b"))],
        ["half of a surrogate pair", () => put(thread("\ud800"))],
        ["an endless id", () => put(thread("x".repeat(5000)))],
        [
          "a namespace that is an object",
          () => put({ configurable: { thread_id: "1", checkpoint_ns: {} } }),
        ],
        [
          "a checkpoint without an id",
          () => saver.put(thread("1"), { ...checkpointOf({}), id: "" }, METADATA, {}),
        ],
        ["writes without a checkpoint", () => saver.putWrites(thread("1"), [["a", 1]], "t")],
        [
          "writes without a task",
          () =>
            saver.putWrites(
              { configurable: { thread_id: "1", checkpoint_id: "c" } },
              [["a", 1]],
              "",
            ),
        ],
        ["a thread to delete that is no text", () => saver.deleteThread(1 as never)],
        ["a listing by an odd id", () => collect(saver.list({ configurable: { thread_id: 5 } }))],
      ])("refuse %s", async (_, work) => {
        expect((await caught(work)).code).toBe("invalid_config");
      });

      it("refuse an odd limit", async () => {
        expect((await caught(() => collect(saver.list({}, { limit: -1 })))).code).toBe(
          "invalid_options",
        );
      });
    });

    it("says that it was closed, and may be closed twice", async () => {
      const config = await new Steps(saver, thread("1")).step({ a: 1 });
      const twin = saver.withAllowlist({ Money: class Money {} });
      await saver.close();
      await twin.close();
      for (const closed of [saver, twin]) {
        for (const work of [
          () => closed.getTuple(thread("1")),
          () => collect(closed.list(thread("1"))),
          () => closed.put(config, checkpointOf({}), METADATA, {}),
          () => closed.putWrites(config, [["a", 1]], "t"),
          () => closed.deleteThread("1"),
          () => closed.getDeltaChannelHistory({ config, channels: ["a"] }),
        ])
          expect((await caught(work)).code).toBe("closed");
      }
    });
  });
}
