import { Send, START } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Crash, type Life } from "../resume/crashing.ts";
import { cases } from "./private-cases.ts";
import type { LooseBuilder } from "../loose-graph.ts";
import { type Args, Processes, secret, SECRET } from "./processes.ts";
import { storages } from "./storages.ts";

const config = { configurable: { thread_id: "1" } };
const durabilities = ["sync", "async", "exit"] as const;
let run: Processes;

describe.each(Object.entries(storages))("a Send's private values over %s", (_name, open) => {
  beforeEach(() => {
    run = new Processes(open());
  });
  afterEach(() => run.storage.close());

  describe.each(cases)("$name", ({ build, input }) => {
    it.each(durabilities)("are what they were, and in no stored Send (%s)", async (durability) => {
      const options = { ...config, durability };
      const first = { token: secret(), history: [{ text: "one" }], ...input };
      await run.start(build).invoke(first, options);
      const sentFirst = run.take();
      expect(sentFirst.length).toBeGreaterThan(0);
      await run.start(build).invoke(null, options);
      expect(run.seen).toEqual(sentFirst);
      expect(run.sent.length).toBeGreaterThan(0);
      for (const text of run.sent) expect(text).not.toContain(SECRET);
      expect(run.storage.bytes()).toContain(SECRET);
    });

    it("are what they were when a process dies before it stores the next checkpoint", async () => {
      // The Sends are found among the writes then, not in a checkpoint.
      const options = { ...config, durability: "sync" as const };
      const counting: Life = { calls: 0, isOver: false };
      const plain = run.compile(build, run.watched(counting));
      await plain.invoke(
        { token: secret(), history: [{ text: "one" }] },
        {
          configurable: { thread_id: "probe" },
          durability: "sync",
        },
      );
      run.take();
      for (let call = 1; call <= counting.calls; call++) {
        const thread = { ...options, configurable: { thread_id: `t${call}` } };
        const input = { token: secret(), history: [{ text: "one" }] };
        await run
          .start(build, { call, when: "before" })
          .invoke(input, thread)
          .catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
        const before = run.take();
        const state = await run.start(build).getState(thread);
        if (state.next.length === 0) continue;
        await run.start(build).invoke(null, thread);
        const after = run.take();
        expect(after.length).toBeGreaterThan(0);
        await run.start(build).invoke(null, thread);
        expect(run.take()).toEqual(after);
        for (const first of before) {
          const again = after.find((each) => run.isSameTask(each, first));
          if (again !== undefined) expect(again).toEqual(first);
        }
      }
      for (const text of run.sent) expect(text).not.toContain(SECRET);
    });
  });

  it.each(["token", "plain"])("are in a circle where they were (%s)", async (field) => {
    const circle: { text: string; self?: object } = { text: secret() };
    circle.self = circle;
    const build = (builder: LooseBuilder): LooseBuilder =>
      builder
        .addNode("a", () => ({ [field]: circle }))
        .addEdge(START, "a")
        .addConditionalEdges("a", (state: Args) => {
          // Its constructor would copy the circle.
          const send = new Send("work", {});
          return [Object.assign(send, { args: { [field]: state[field] } })];
        });
    await run.start(build).invoke({}, config);
    await run.start(build).invoke(null, config);
    expect(run.seen.length).toBe(2);
    for (const args of run.take()) {
      const value = args[field] as typeof circle;
      expect(value.self).toBe(value);
    }
  });
});
