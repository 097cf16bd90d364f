import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A value that a state holds. */
export interface BatteryCase {
  readonly name: string;
  readonly value: () => unknown;
  /** Throws for a value that is not what was stored. */
  readonly check?: (got: never, stored: never) => void;
  /** It can't be kept: writing it has to fail, with an error that names its place. */
  readonly isRefused?: true;
}

/** A saver on a file, and what makes a graph ready for it. */
export interface BatteryStack {
  readonly open: (file: string) => { saver: BaseCheckpointSaver; close: () => unknown };
  readonly harden: <G extends object>(graph: G) => G;
}

/** What became of a value. */
export type Outcome =
  /** It came back with its type and content. */
  | "exact"
  /** Writing it failed with an error that names the place, and the thread still loads. */
  | "refused"
  /** The run went on, with another value. */
  | "lost"
  /** The thread can't be loaded or resumed. */
  | "bricked"
  /** Writing it failed with an error that says nothing of the place. */
  | "unnamed";

const CONFIG = { configurable: { thread_id: "t" } };

/**
 * Put a value into a state, wait at an interrupt, open the file anew, resume, and look at what the next
 * node sees.
 */
export async function survive(stack: BatteryStack, one: BatteryCase): Promise<Outcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "battery-"));
  const seen: { value?: unknown; stored?: unknown } = {};
  const compile = (saver: BaseCheckpointSaver) => stack.harden(build(saver, one, seen));
  let opened = stack.open(path.join(folder, "t.db"));
  try {
    const failure = await compile(opened.saver)
      .invoke({ n: 0 }, CONFIG)
      .then(() => undefined, String);
    await opened.close();
    opened = stack.open(path.join(folder, "t.db"));
    const graph = compile(opened.saver);
    if (failure !== undefined) {
      const { values } = await graph.getState(CONFIG);
      if ((values as { keep?: string }).keep !== "kept") return "bricked";
      return /\bv\b/.test(failure) ? "refused" : "unnamed";
    }
    await graph.invoke(new Command({ resume: "yes" }), CONFIG);
    return "value" in seen ? compare(one, seen) : "bricked";
  } catch {
    return "bricked";
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true });
  }
}

function build(
  checkpointer: BaseCheckpointSaver,
  { value }: BatteryCase,
  seen: { value?: unknown; stored?: unknown },
) {
  const State = Annotation.Root({
    v: Annotation<unknown>(),
    keep: Annotation<string>(),
    n: Annotation<number>(),
  });
  return new StateGraph(State)
    .addNode("first", () => ({ keep: "kept" }))
    .addNode("make", () => ({ v: (seen.stored = value()) }))
    .addNode("wait", () => {
      interrupt("go on?");
      return { n: 1 };
    })
    .addNode("look", ({ v }) => {
      seen.value = v;
      return {};
    })
    .addEdge(START, "first")
    .addEdge("first", "make")
    .addEdge("make", "wait")
    .addEdge("wait", "look")
    .addEdge("look", END)
    .compile({ checkpointer });
}

function compare(
  { check }: BatteryCase,
  { value, stored }: { value?: unknown; stored?: unknown },
): Outcome {
  try {
    if (check === undefined) assert.deepStrictEqual(value, stored);
    else check(value as never, stored as never);
    return "exact";
  } catch {
    return "lost";
  }
}
