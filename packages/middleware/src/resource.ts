import { optionsProblem, RESOURCE_HOST, type ResourceHost } from "@threadkeep/serde/policy";
import { PersistenceError } from "./errors.ts";
import type { RuntimeLike } from "./langgraph.ts";
import { onProcessEnd } from "./process-end.ts";
import { ResourcePool } from "./resource-pool.ts";

/** What a resource's `create` is told. */
export interface ResourceContext {
  readonly threadId: string;
  /** Aborted when the object is ended while it is still being made. */
  readonly signal: AbortSignal;
}

/** Options of {@link resource}. */
export interface ResourceOptions<T extends object, K extends string = string> {
  /** State key under which hooks, tools and nodes find the object. */
  readonly key: K;
  /** Make the object for a thread. */
  readonly create: (context: ResourceContext) => T | Promise<T>;
  /** End the object. @defaultValue nothing to do */
  readonly dispose?: (object: T) => void | Promise<void>;
  /** Milliseconds without use after which an object ends. @defaultValue never */
  readonly idleMs?: number;
  /** How many threads keep their object while nothing runs in them. @defaultValue 1000 */
  readonly max?: number;
  /** Told of ends that failed where nobody waits for them. @defaultValue `process.emitWarning` */
  readonly onError?: (error: PersistenceError) => void;
}

/** A live object per thread, kept outside of storage. */
export interface Resource<T extends object, K extends string = string> {
  readonly key: K;
  /**
   * The object of the run's thread, made when it is missing. Calls at the same time get the same one.
   *
   * @throws {@link PersistenceError} `no_thread`, `create_failed`
   */
  get(runtime: RuntimeLike): Promise<T>;
  /** The object of a thread as far as it exists. */
  peek(threadId: string): T | undefined;
  /**
   * End the thread's object. The next one who asks gets a new one.
   *
   * @throws {@link PersistenceError} `dispose_failed`
   */
  dispose(threadId: string): Promise<void>;
  /** What a hardened graph needs of it. */
  readonly [RESOURCE_HOST]: ResourceHost;
}

/**
 * Describe a live object (process, socket, client) that belongs to a thread. It is never stored; a
 * resumed run gets the same object in this process, and a new one in another.
 *
 * It ends on `dispose(threadId)`, when its thread is deleted, when it was idle for `idleMs`, when
 * more than `max` threads keep one unused, and when the process ends.
 *
 * @throws {@link PersistenceError} `invalid_options`
 *
 * @example
 * ```ts
 * const shell = resource({
 *   key: "shell",
 *   create: () => startBash(),
 *   dispose: (bash) => bash.end(),
 *   idleMs: 10 * 60_000,
 * });
 * createAgent({ model, tools, middleware: [persistence({ resources: [shell] })] });
 * ```
 */
export function resource<T extends object, const K extends string>(
  options: ResourceOptions<T, K>,
): Resource<T, K> {
  const {
    key,
    create,
    dispose,
    idleMs = Number.POSITIVE_INFINITY,
    max = 1000,
    onError = warn,
  } = checked(options);
  const pool = new ResourcePool<T>({ key, create, dispose, idleMs, max, onError });
  let forget: (() => void) | undefined;

  /** The process's end is listened to while there is something to end. */
  function ensure(threadId: string): Promise<T> {
    forget ??= onProcessEnd(() => pool.disposeAll());
    return pool.ensure(threadId);
  }

  async function end(threadId: string): Promise<void> {
    try {
      await pool.dispose(threadId);
    } finally {
      if (pool.size === 0) {
        forget?.();
        forget = undefined;
      }
    }
  }

  return {
    key,
    get: async (runtime) => ensure(threadOf(runtime, key)),
    peek: (threadId) => pool.peek(threadId),
    dispose: end,
    [RESOURCE_HOST]: {
      keys: [key],
      ensure: async (threadId) => ({ [key]: await ensure(threadId) }),
      peek: (threadId) => {
        const object = pool.peek(threadId);
        return object === undefined ? {} : { [key]: object };
      },
      retain: (threadId) => pool.retain(threadId),
      release: (threadId) => pool.release(threadId),
      dispose: end,
    },
  };
}

/** Node.js takes anything longer for no time at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const KNOWN = ["key", "create", "dispose", "idleMs", "max", "onError"];

function checked<T extends object, K extends string>(
  options: ResourceOptions<T, K>,
): ResourceOptions<T, K> {
  const problem = optionsProblem(options, KNOWN);
  if (problem !== undefined) throw invalid(`resource ${problem}`);
  const { key, create, dispose, idleMs, max, onError } = options;
  if (typeof key !== "string" || key === "") throw invalid("resource needs a key");
  if (typeof create !== "function") throw invalid(`The resource "${key}" needs a create function`);
  if (dispose !== undefined && typeof dispose !== "function")
    throw invalid(`dispose of the resource "${key}" is no function`);
  if (onError !== undefined && typeof onError !== "function")
    throw invalid(`onError of the resource "${key}" is no function`);
  if (typeof idleMs === "number" && idleMs > MAX_TIMER_MS && idleMs !== Number.POSITIVE_INFINITY)
    throw invalid(
      `idleMs of the resource "${key}" is more than a timer can wait (${MAX_TIMER_MS}, 24 days); leave it out for never`,
    );
  for (const [name, value] of Object.entries({ idleMs, max })) {
    if (value !== undefined && !(typeof value === "number" && value > 0))
      throw invalid(`${name} of the resource "${key}" must be a positive number`);
  }
  return options;
}

function invalid(message: string): PersistenceError {
  return new PersistenceError("invalid_options", message);
}

function warn(error: PersistenceError): void {
  process.emitWarning(error);
}

/** The thread that a run belongs to. */
function threadOf(runtime: RuntimeLike | undefined, key: string): string {
  const threadId = runtime?.configurable?.thread_id;
  if (typeof threadId === "string" && threadId !== "") return threadId;
  throw new PersistenceError(
    "no_thread",
    `The resource "${key}" belongs to a thread; pass { configurable: { thread_id: "…" } } to the run`,
  );
}
