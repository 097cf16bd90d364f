import { RESOURCE_HOST } from "@threadkeep/serde/policy";
import { describe, expect, it, vi } from "vitest";
import { PersistenceError, resource } from "../src/index.ts";

class Thing {
  readonly threadId: string;
  ended = 0;

  constructor(threadId: string) {
    this.threadId = threadId;
  }
}

const runtime = (threadId: string) => ({ configurable: { thread_id: threadId } });
const tick = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function things(
  options: { idleMs?: number; max?: number; dispose?: (thing: Thing) => void | Promise<void> } = {},
) {
  const made: Thing[] = [];
  const errors: PersistenceError[] = [];
  const thing = resource({
    key: "thing",
    create: async ({ threadId }) => {
      await tick();
      const created = new Thing(threadId);
      made.push(created);
      return created;
    },
    dispose: (created) => {
      created.ended++;
      return options.dispose?.(created);
    },
    onError: (error) => errors.push(error),
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
    ...(options.max === undefined ? {} : { max: options.max }),
  });
  return { thing, made, errors, host: thing[RESOURCE_HOST] };
}

describe("resource", () => {
  it("gives one object per thread, made once however many ask", async () => {
    const { thing, made } = things();
    const [a, b, other] = await Promise.all([
      thing.get(runtime("1")),
      thing.get(runtime("1")),
      thing.get(runtime("2")),
    ]);
    expect(a).toBe(b);
    expect(other).not.toBe(a);
    expect(made.map(({ threadId }) => threadId).sort()).toEqual(["1", "2"]);
    expect(thing.peek("1")).toBe(a);
    expect(thing.peek("3")).toBeUndefined();
  });

  it("makes a new object after the old one was ended", async () => {
    const { thing } = things();
    const first = await thing.get(runtime("1"));
    await thing.dispose("1");
    await thing.dispose("1");
    expect(first.ended).toBe(1);
    const second = await thing.get(runtime("1"));
    expect(second).not.toBe(first);
    await thing.dispose("1");
  });

  it("fails for the one who asked, and tries anew for the next", async () => {
    let calls = 0;
    const flaky = resource({
      key: "flaky",
      create: () => {
        if (calls++ === 0) throw new RangeError("no luck");
        return { ok: true };
      },
    });
    await expect(flaky.get(runtime("1"))).rejects.toMatchObject({
      code: "create_failed",
      cause: expect.any(RangeError),
    });
    expect(flaky.peek("1")).toBeUndefined();
    await expect(flaky.get(runtime("1"))).resolves.toEqual({ ok: true });
    await flaky.dispose("1");
  });

  it.each([undefined, null, 5, "text"])("refuses %s in place of an object", async (value) => {
    const wrong = resource({ key: "wrong", create: () => value as unknown as object });
    await expect(wrong.get(runtime("1"))).rejects.toMatchObject({ code: "create_failed" });
  });

  it.each([
    {},
    { configurable: {} },
    { configurable: { thread_id: "" } },
    { configurable: { thread_id: 5 } },
  ])("asks for a thread when the runtime has none (%j)", async (config) => {
    const { thing } = things();
    await expect(thing.get(config)).rejects.toMatchObject({ code: "no_thread" });
  });

  it("lets go of an object whose making never ends, and ends one that comes too late", async () => {
    const late: ((thing: Thing) => void)[] = [];
    const ended: Thing[] = [];
    const thing = resource({
      key: "thing",
      create: () => new Promise<Thing>((resolve) => late.push(resolve)),
      dispose: (created) => void ended.push(created),
    });
    const waiting = thing.get(runtime("1"));
    const refused = waiting.catch((error: unknown) => error);
    await thing.dispose("1");
    expect(await refused).toMatchObject({ code: "create_failed" });
    const next = thing.get(runtime("1"));
    const first = new Thing("1");
    const second = new Thing("1");
    late[1]?.(second);
    expect(await next).toBe(second);
    late[0]?.(first);
    await tick();
    expect(ended).toEqual([first]);
    await thing.dispose("1");
  });

  it("outlives a listener that throws", async () => {
    const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const thing = resource({
      key: "thing",
      create: () => ({}),
      dispose: () => {
        throw new Error("no");
      },
      idleMs: 1,
      onError: () => {
        throw new Error("listener");
      },
    });
    await thing.get(runtime("1"));
    await vi.waitFor(() => expect(warnings).toHaveBeenCalled());
    warnings.mockRestore();
    expect(thing.peek("1")).toBeUndefined();
  });

  it("ends an object that is still being made", async () => {
    let signal: AbortSignal | undefined;
    let ready: ((thing: Thing) => void) | undefined;
    const ended: Thing[] = [];
    const slow = resource({
      key: "slow",
      create: (context) => {
        signal = context.signal;
        return new Promise<Thing>((resolve) => (ready = resolve));
      },
      dispose: (thing) => void ended.push(thing),
    });
    const asked = slow.get(runtime("1")).catch((error: unknown) => error);
    await slow.dispose("1");
    expect(signal?.aborted).toBe(true);
    expect(await asked).toMatchObject({ code: "create_failed" });
    const thing = new Thing("1");
    ready?.(thing);
    await tick();
    expect(ended).toEqual([thing]);
    expect(slow.peek("1")).toBeUndefined();
  });

  it("ends what was idle for long, but nothing in use", async () => {
    const { thing, host } = things({ idleMs: 30 });
    const used = await thing.get(runtime("used"));
    host.retain("used");
    const idle = await thing.get(runtime("idle"));
    await vi.waitFor(() => expect(idle.ended).toBe(1));
    expect(used.ended).toBe(0);
    host.release("used");
    await vi.waitFor(() => expect(used.ended).toBe(1));
    expect(thing.peek("used")).toBeUndefined();
  });

  it("ends the one unused for longest when there are too many", async () => {
    const { thing, host } = things({ max: 2 });
    const a = await thing.get(runtime("a"));
    const b = await thing.get(runtime("b"));
    await thing.get(runtime("a"));
    const c = await thing.get(runtime("c"));
    await tick(5);
    expect([a.ended, b.ended, c.ended]).toEqual([0, 1, 0]);
    host.retain("a");
    host.retain("c");
    const d = await thing.get(runtime("d"));
    await tick(5);
    expect([a.ended, c.ended, d.ended]).toEqual([0, 0, 0]);
    host.release("a");
    await tick(5);
    expect([a.ended, c.ended, d.ended]).toEqual([0, 0, 1]);
    await Promise.all(["a", "c"].map((id) => thing.dispose(id)));
  });

  it("reports an end that failed to the one who waits, or else to onError", async () => {
    const { thing, errors } = things({
      max: 1,
      dispose: () => {
        throw new Error("stuck");
      },
    });
    await thing.get(runtime("1"));
    await expect(thing.dispose("1")).rejects.toMatchObject({ code: "dispose_failed" });
    await thing.get(runtime("2"));
    await thing.get(runtime("3"));
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]).toMatchObject({ code: "dispose_failed" });
    await expect(thing.dispose("3")).rejects.toMatchObject({ code: "dispose_failed" });
  });

  it("listens to the process's end once, however many resources there are", async () => {
    const first = things();
    await first.thing.get(runtime("1"));
    const before = process.listenerCount("exit");
    const many = Array.from({ length: 20 }, () => things());
    await Promise.all(many.map(({ thing }) => thing.get(runtime("1"))));
    expect(process.listenerCount("exit")).toBe(before);
    await Promise.all([first, ...many].map(({ thing }) => thing.dispose("1")));
  });

  it.each([
    ["no key", { create: () => ({}) }],
    ["an empty key", { key: "", create: () => ({}) }],
    ["no create", { key: "a" }],
    ["a dispose that is no function", { key: "a", create: () => ({}), dispose: 1 }],
    ["a negative idleMs", { key: "a", create: () => ({}), idleMs: -1 }],
    ["a max of zero", { key: "a", create: () => ({}), max: 0 }],
    ["a misspelt option", { key: "a", create: () => ({}), idle: 5 }],
    ["more than a timer can wait", { key: "a", create: () => ({}), idleMs: 3e9 }],
    ["a listener that is none", { key: "a", create: () => ({}), onError: 5 }],
    ["nothing", undefined],
  ])("refuses %s", (_name, options) => {
    expect(() => resource(options as never)).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});
