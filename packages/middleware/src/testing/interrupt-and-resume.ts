import { randomUUID } from "node:crypto";
import { Command } from "@langchain/langgraph";
import { optionsProblem } from "@threadkeep/serde/policy";
import { checkHistory, checkKept, checkNext, checkStored, checkUntracked } from "./checks.ts";
import { PersistenceTestError } from "./errors.ts";
import { type ResumeProcess, resumeInProcess } from "./resume-process.ts";

/** A compiled graph or an agent, as far as the harness drives it. */
export interface TestedGraph {
  stream(input: never, options: never): Promise<AsyncIterable<unknown>>;
  invoke(input: never, options: never): Promise<unknown>;
  getState(config: never): Promise<unknown>;
}

/** Options of {@link interruptAndResume}. */
export interface InterruptAndResumeOptions<S> {
  /** Open the saver; called anew for each side, on the same storage. */
  readonly open: () => S | Promise<S>;
  /** Build the graph or agent over a saver, as the app does. */
  readonly build: (saver: S) => TestedGraph | Promise<TestedGraph>;
  /** Close what `open` gave. @defaultValue its `close()`, if it has one */
  readonly close?: (saver: S) => unknown;
  /** What the run starts with. */
  readonly input: unknown;
  /** What the interrupt is answered with. @defaultValue true */
  readonly resume?: unknown;
  /** The nodes that wait at the interrupt. @defaultValue not checked */
  readonly next?: readonly string[];
  /** The nodes that wait in the end: those of a second interrupt. @defaultValue none */
  readonly nextAfter?: readonly string[];
  /** State fields that are never stored: they may be missing after a resume, and their texts must not be in the storage. @defaultValue none */
  readonly untracked?: readonly string[];
  /** Files of the storage, to be searched for untracked texts. @defaultValue not searched */
  readonly files?: readonly string[];
  /** Whether all messages of before the interrupt must be there in the end. @defaultValue true */
  readonly history?: boolean;
  /** Resume in a process of its own, from a module that exports `open` and `build`. @defaultValue in this one */
  readonly process?: ResumeProcess;
  /** @defaultValue a new one */
  readonly threadId?: string;
}

/** What the two sides saw. */
export interface InterruptAndResumeResult {
  readonly threadId: string;
  /** State at the interrupt, read back from the storage. */
  readonly interrupted: Readonly<Record<string, unknown>>;
  /** State after the resumed run, read back from the storage. */
  readonly resumed: Readonly<Record<string, unknown>>;
}

type State = Record<string, unknown>;
interface Snapshot {
  readonly values: State;
  readonly next: readonly string[];
}

/**
 * Run a graph or agent to its interrupt, throw everything in memory away, and resume it from its
 * storage: what was in the state must be in it again, with its types.
 *
 * Works in any test runner: it throws what it finds.
 *
 * @throws {@link PersistenceTestError} with a code and the key paths of every place
 *
 * @example
 * ```ts
 * test("an order survives its approval", async () => {
 *   const { resumed } = await interruptAndResume({
 *     open: () => SqliteSaver.fromConnString(file),
 *     build: (saver) => withAllowlist(orderGraph.compile({ checkpointer: saver }), { types: { Money } }),
 *     input: { items: ["tea"] },
 *     next: ["approve"],
 *   });
 *   assert.equal(resumed.status, "paid");
 * });
 * ```
 */
export async function interruptAndResume<S>(
  options: InterruptAndResumeOptions<S>,
): Promise<InterruptAndResumeResult> {
  checkOptions(options);
  const { threadId = `thread-${randomUUID()}`, untracked = [], resume = true } = options;
  const config = { configurable: { thread_id: threadId } };

  const live = await withGraph(options, (graph) => runToInterrupt(graph, options.input, config));
  const interrupted = await withGraph(options, (graph) => snapshot(graph, config));
  checkStored(live, interrupted);
  checkNext("The stored thread", interrupted.next, options.next);
  checkKept(without(live, untracked), without(interrupted.values, untracked));
  await checkUntracked(live, untracked, options.files ?? []);

  if (options.process === undefined) {
    await withGraph(options, (graph) => resumed(graph, resume, config));
  } else {
    await resumeInProcess(options.process, threadId, resume);
  }
  const after = await withGraph(options, (graph) => snapshot(graph, config));
  checkNext("The resumed thread", after.next, options.nextAfter ?? []);
  if (options.history ?? true) checkHistory(interrupted.values.messages, after.values.messages);
  await checkUntracked(live, untracked, options.files ?? []);
  return { threadId, interrupted: interrupted.values, resumed: after.values };
}

const KNOWN = [
  "open",
  "build",
  "close",
  "input",
  "resume",
  "next",
  "nextAfter",
  "untracked",
  "files",
  "history",
  "process",
  "threadId",
];

function checkOptions(options: object): void {
  const problem = optionsProblem(options, KNOWN);
  if (problem !== undefined)
    throw new PersistenceTestError("invalid_options", `interruptAndResume ${problem}`);
  for (const name of ["open", "build"] as const)
    if (typeof (options as Record<string, unknown>)[name] !== "function")
      throw new PersistenceTestError("invalid_options", `interruptAndResume needs ${name}()`);
}

async function withGraph<S, T>(
  options: InterruptAndResumeOptions<S>,
  work: (graph: TestedGraph) => Promise<T>,
): Promise<T> {
  const saver = await options.open();
  try {
    return await work(await options.build(saver));
  } finally {
    if (options.close !== undefined) await options.close(saver);
    else await (saver as { close?: () => unknown } | null)?.close?.();
  }
}

/** The state as the run itself saw it last. */
async function runToInterrupt(graph: TestedGraph, input: unknown, config: object): Promise<State> {
  let last: State = {};
  let isInterrupted = false;
  try {
    const stream = await graph.stream(input as never, { ...config, streamMode: "values" } as never);
    for await (const values of stream) {
      const { __interrupt__: interrupt, ...state } = values as State;
      isInterrupted ||= interrupt !== undefined;
      if (Object.keys(state).length > 0) last = state;
    }
  } catch (cause) {
    throw unstored(cause);
  }
  const { next } = await snapshot(graph, config);
  if (!isInterrupted && next.length === 0) {
    throw new PersistenceTestError(
      "not_interrupted",
      "The run ended without an interrupt; give it an input that leads to one",
    );
  }
  return last;
}

async function resumed(graph: TestedGraph, resume: unknown, config: object): Promise<void> {
  try {
    await graph.invoke(new Command({ resume }) as never, config as never);
  } catch (cause) {
    throw new PersistenceTestError(
      "resume_failed",
      `The resumed run failed: ${textOf(cause)}`,
      pathsOf(cause),
      { cause },
    );
  }
}

async function snapshot(graph: TestedGraph, config: object): Promise<Snapshot> {
  try {
    const { values, next } = (await graph.getState(config as never)) as Snapshot;
    return { values, next };
  } catch (cause) {
    throw new PersistenceTestError(
      "resume_failed",
      `The thread can't be read back: ${textOf(cause)}`,
      pathsOf(cause),
      { cause },
    );
  }
}

function unstored(cause: unknown): PersistenceTestError {
  return new PersistenceTestError(
    "not_stored",
    `The run failed before its interrupt was stored: ${textOf(cause)}`,
    pathsOf(cause),
    { cause },
  );
}

/** Serializers of this project say where. */
function pathsOf(error: unknown): string[] {
  const problems = (error as { problems?: unknown } | null)?.problems;
  return Array.isArray(problems)
    ? problems.map((problem) => String((problem as { path?: unknown }).path))
    : [];
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** The fields that count; one that is undefined is as good as none. */
function without(state: State, names: readonly string[]): State {
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );
}
