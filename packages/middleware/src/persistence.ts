import {
  joinHosts,
  optionsProblem,
  RESOURCE_HOST,
  type ResourceHost,
  untracked,
} from "@threadkeep/serde/policy";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod/v4";
import { PersistenceError } from "./errors.ts";
import { AGENT_FIELDS, type RuntimeLike, taskInputOf } from "./langgraph.ts";
import type { Resource } from "./resource.ts";
import { type PersistenceMode, SCAN, SaverCheck, type ScanMode } from "./saver-check.ts";

/** Options of {@link persistence}. */
export interface PersistenceOptions<R extends readonly Resource<object>[]> {
  /** Live objects that hooks and tools find in the state. @defaultValue none */
  readonly resources?: R;
  /**
   * What to do over a saver that is not of this project. `LANGGRAPH_STRICT_MSGPACK=true` in the
   * environment makes every one strict. @defaultValue `"strict"`
   */
  readonly mode?: PersistenceMode;
  /**
   * Look at the state that each step makes, and tell which middleware or tool made a value that can't
   * be stored: its key path, its type and what to convert it to. `"throw"` fails that very step. The
   * agent has to be hardened. @defaultValue `"off"`, which costs nothing
   */
  readonly scan?: ScanMode;
}

/** The state fields that resources add: each under its key. */
export type ResourceSchema<R extends readonly Resource<object>[]> = z.ZodObject<{
  [E in R[number] as E["key"]]: z.ZodOptional<z.ZodType<E extends Resource<infer T> ? T : never>>;
}>;

/** What {@link persistence} gives: LangChain's middleware, and a way to end a thread's objects. */
export type PersistenceMiddleware<R extends readonly Resource<object>[] = readonly []> =
  AgentMiddleware<R extends readonly [] ? undefined : ResourceSchema<R>> & {
    /** The mode that holds, whatever was asked for. */
    readonly mode: PersistenceMode;
    /**
     * End every resource of a thread.
     *
     * @throws {@link PersistenceError} `dispose_failed`
     */
    dispose(threadId: string): Promise<void>;
    /** What a hardened graph needs of it. */
    readonly [RESOURCE_HOST]: ResourceHost;
  };

/**
 * Middleware that keeps live objects beside an agent's state: in reach of every hook and tool, and
 * out of storage.
 *
 * Over an agent that is hardened with `withAllowlist` everything holds from the first node on. Over
 * a plain Threadkeep saver it hands its fields over to the saver by itself. Over any other saver it
 * refuses, because nothing would keep the objects out of it.
 *
 * @throws {@link PersistenceError} `invalid_options` for two resources with one key, or a key that an
 * agent's own state has; while running `unsupported_saver`, `create_failed`
 *
 * @example
 * ```ts
 * const agent = withAllowlist(createAgent({
 *   model,
 *   tools,
 *   middleware: [persistence({ resources: [shell] })],
 *   checkpointer: SqliteSaver.fromConnString("agent.db"),
 * }));
 * ```
 */
export function persistence<const R extends readonly Resource<object>[] = readonly []>(
  options: PersistenceOptions<R> = {},
): PersistenceMiddleware<R> {
  checkOptions(options);
  const { resources = [], mode = "strict", scan = "off" } = options;
  const keys = checkedKeys(resources);
  const host = joinHosts(resources.map((each) => each[RESOURCE_HOST]));
  const check = new SaverCheck(host, mode, scan);

  /** The objects that a state lacks: after a resume over a plain saver, or before the first write. */
  async function missing(state: object, runtime: RuntimeLike): Promise<Record<string, unknown>> {
    const threadId = check.enter(runtime);
    if (threadId === undefined || keys.length === 0) return {};
    checkFields(keys, state);
    const objects = await host.ensure(threadId);
    check.hide(objects);
    return Object.fromEntries(
      Object.entries(objects).filter(
        ([key, object]) => (state as Record<string, unknown>)[key] !== object,
      ),
    );
  }

  /** Nothing ends the thread's objects while `work` uses them. */
  async function using<T>(runtime: RuntimeLike, work: () => T | Promise<T>): Promise<T> {
    const threadId = runtime.configurable?.thread_id;
    if (typeof threadId !== "string") return work();
    host.retain(threadId);
    try {
      return await work();
    } finally {
      host.release(threadId);
    }
  }

  const middleware = createMiddleware({
    name: "Persistence",
    stateSchema: z.object(Object.fromEntries(keys.map((key) => [key, untracked()]))),
    async beforeAgent(state, runtime) {
      const objects = await missing(state, runtime as RuntimeLike);
      return Object.keys(objects).length === 0 ? undefined : objects;
    },
    async wrapModelCall(request, handler) {
      const runtime = request.runtime as RuntimeLike;
      const state = { ...request.state, ...(await missing(request.state, runtime)) };
      return using(runtime, () => handler({ ...request, state }));
    },
    async wrapToolCall(request, handler) {
      const runtime = request.runtime as unknown as RuntimeLike;
      const objects = await missing(request.state, runtime);
      // What tools are shown as state is the task's own input, whatever is passed on here.
      Object.assign(taskInputOf(runtime) ?? {}, objects);
      return using(runtime, () => handler({ ...request, state: { ...request.state, ...objects } }));
    },
  });
  return Object.assign(middleware, {
    [RESOURCE_HOST]: host,
    [SCAN]: scan,
    mode: check.mode,
    dispose: host.dispose,
  }) as unknown as PersistenceMiddleware<R>;
}

function checkOptions(options: PersistenceOptions<readonly Resource<object>[]>): void {
  const problem = optionsProblem(options, ["resources", "mode", "scan"]);
  if (problem !== undefined)
    throw new PersistenceError("invalid_options", `persistence ${problem}`);
  if (options.resources !== undefined && !Array.isArray(options.resources))
    throw new PersistenceError(
      "invalid_options",
      "persistence takes a list of resources: persistence({ resources: [shell] })",
    );
}

/** Data under a resource's key is another field's: it would be lost without a word. */
function checkFields(keys: readonly string[], state: object): void {
  for (const key of keys) {
    const value = (state as Record<string, unknown>)[key];
    if (
      value === undefined ||
      value === null ||
      typeof value === "object" ||
      typeof value === "function"
    )
      continue;
    throw new PersistenceError(
      "key_clash",
      `The state field "${key}" holds a ${typeof value}, but a resource has that key; give one of them another name`,
    );
  }
}

function checkedKeys(resources: readonly Resource<object>[]): string[] {
  const keys = resources.map((each, i) => {
    if (typeof each?.key === "string" && RESOURCE_HOST in each) return each.key;
    throw new PersistenceError("invalid_options", `resources[${i}] is not what resource() gives`);
  });
  for (const [i, key] of keys.entries()) {
    if (keys.indexOf(key) !== i)
      throw new PersistenceError(
        "invalid_options",
        `Two resources have the key "${key}"; give one of them another`,
      );
    if (AGENT_FIELDS.includes(key))
      throw new PersistenceError(
        "invalid_options",
        `The key "${key}" is a field of every agent's state; use another`,
      );
  }
  return keys;
}
