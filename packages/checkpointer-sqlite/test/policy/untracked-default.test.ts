import { Annotation, Command, interrupt, START } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z as z3 } from "zod/v3";
import { z } from "zod/v4";
import { SqliteSaver, untracked, withAllowlist } from "../../src/index.ts";
import { looseGraph } from "../loose-graph.ts";

const made = { count: 0 };
const make = (): { n: number } => ({ n: ++made.count });

/** Fields of which a run without input has a value. */
const states: Readonly<Record<string, () => unknown>> = {
  "Zod 4": () => z.object({ box: untracked(z.any().default(make)) }),
  "Zod 4, optional and described": () =>
    z.object({ box: untracked(z.any().default(make).optional()).describe("a box") }),
  "Zod 3": () => z3.object({ box: untracked(z3.any().default(make)) }),
  Annotation: () =>
    Annotation.Root({
      box: untracked(Annotation<object>({ reducer: (_, next) => next, default: make })),
    }),
};

describe.each(Object.entries(states))("an untracked default of %s", (_, state) => {
  it("is there in each run, also in a resumed one, and is not stored", async () => {
    const seen: unknown[] = [];
    const saver = SqliteSaver.fromConnString(":memory:");
    const open = () =>
      withAllowlist(
        looseGraph(state())
          .addNode("ask", (values: Record<string, unknown>) => {
            seen.push(values.box);
            interrupt("go on?");
            return {};
          })
          .addEdge(START, "ask")
          .compile({ checkpointer: saver }),
      );
    const thread = { configurable: { thread_id: "1" } };
    await open().invoke({}, thread);
    await open().invoke(new Command({ resume: true }), thread);
    expect(seen).toEqual([{ n: expect.any(Number) }, { n: expect.any(Number) }]);
    const stored = await saver.getTuple(thread);
    expect(stored?.checkpoint.channel_values).not.toHaveProperty("box");
    await saver.close();
  });
});
