import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { interruptAndResume, type TestedGraph } from "@threadkeep/middleware/testing";
import { describe, expect, it } from "vitest";

const State = Annotation.Root({ answers: Annotation<string[]>() });

/** Asks twice. */
const build = (saver: MemorySaver): TestedGraph =>
  new StateGraph(State)
    .addNode("first", () => ({ answers: [interrupt("1?")] }))
    .addNode("second", ({ answers }) => ({ answers: [...answers, interrupt("2?")] }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", END)
    .compile({ checkpointer: saver });

const input = { answers: ["none yet"] };

describe("interruptAndResume", () => {
  it("says when the resumed run waits again, unless that is expected", async () => {
    const saver = new MemorySaver();
    const open = () => saver;
    const options = { open, build, input, resume: "yes", threadId: "1" };
    await expect(interruptAndResume(options)).rejects.toMatchObject({
      code: "wrong_next",
      message: "The resumed thread waits for [second], not for []",
    });
    const again = { ...options, threadId: "2", nextAfter: ["second"] };
    expect((await interruptAndResume(again)).resumed).toEqual({ answers: ["yes"] });
  });

  it("says when each side opened a storage of its own", async () => {
    const open = () => new MemorySaver();
    await expect(interruptAndResume({ open, build, input })).rejects.toMatchObject({
      code: "not_stored",
      message: expect.stringContaining("open() has to open the same storage"),
    });
  });

  it.each<[string, object]>([
    ["no open", { build, input }],
    ["no build", { open: () => new MemorySaver(), input }],
    ["a misspelt option", { open: () => new MemorySaver(), build, input, resumes: 1 }],
    ["a file that is not there", { open: single(), build, input, files: ["nowhere.db"] }],
  ])("refuses %s", async (_, options) => {
    await expect(interruptAndResume(options as never)).rejects.toMatchObject({
      code: "invalid_options",
    });
  });
});

function single(): () => MemorySaver {
  const saver = new MemorySaver();
  return () => saver;
}
