import { MiddlewareError } from "./errors.ts";

/** What a resource's `create` is told. */
export interface ResourceContext {
  readonly threadId: string;
}

/** Options of {@link resource}. */
export interface ResourceOptions<T extends object> {
  /** State key under which hooks and tools find the object. */
  readonly key: string;
  /** Make the object for a thread. */
  readonly create: (context: ResourceContext) => T | Promise<T>;
  /** End the object. @defaultValue nothing to do */
  readonly dispose?: (object: T) => void | Promise<void>;
}

/** The part of LangChain's `Runtime`, `ToolRuntime` or a `RunnableConfig` that names the thread. */
export interface RuntimeLike {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/** A live object per thread, kept outside of storage. */
export interface Resource<T extends object> {
  readonly key: string;
  /**
   * The object of the run's thread, made when it is missing. Calls at the same time get the same one.
   *
   * @throws {@link MiddlewareError} `no_thread`, `create_failed`
   */
  get(runtime: RuntimeLike): Promise<T>;
  /** The object of a thread, made when it is missing. */
  ensure(threadId: string): Promise<T>;
  /** The object of a thread as far as it exists. */
  peek(threadId: string): T | undefined;
  /**
   * End the thread's object. The next one who asks gets a new one.
   *
   * @throws {@link MiddlewareError} `dispose_failed`
   */
  dispose(threadId: string): Promise<void>;
}

/**
 * Describe a live object (process, socket, client) that belongs to a thread. It is never stored; a
 * resumed run gets the same object in this process, and a new one in another.
 *
 * @throws {@link MiddlewareError} `invalid_options`
 *
 * @example
 * ```ts
 * const shell = resource({
 *   key: "shell",
 *   create: () => startBash(),
 *   dispose: (bash) => bash.end(),
 * });
 * createAgent({ model, tools, middleware: [persistence({ resources: [shell] })] });
 * ```
 */
export function resource<T extends object>(options: ResourceOptions<T>): Resource<T> {
  const { key, create, dispose } = options;
  if (typeof key !== "string" || key === "" || typeof create !== "function") {
    throw new MiddlewareError("invalid_options", "resource needs a key and a create function");
  }
  const slots = new Map<string, Slot<T>>();

  function ensure(threadId: string): Promise<T> {
    const existing = slots.get(threadId);
    if (existing !== undefined) return existing.ready;
    const slot: Slot<T> = { object: undefined, ready: make(key, create, threadId) };
    slots.set(threadId, slot);
    slot.ready.then(
      (object) => (slot.object = object),
      // The one who waits gets the error; the next one tries anew.
      () => slots.get(threadId) === slot && slots.delete(threadId),
    );
    return slot.ready;
  }

  return {
    key,
    ensure,
    get: async (runtime) => ensure(threadOf(runtime, key)),
    peek: (threadId) => slots.get(threadId)?.object,
    async dispose(threadId) {
      const slot = slots.get(threadId);
      if (slot === undefined) return;
      slots.delete(threadId);
      try {
        await dispose?.(await slot.ready);
      } catch (cause) {
        throw new MiddlewareError("dispose_failed", `Ending the resource "${key}" failed`, { cause });
      }
    },
  };
}

interface Slot<T> {
  object: T | undefined;
  readonly ready: Promise<T>;
}

async function make<T extends object>(key: string, create: ResourceOptions<T>["create"], threadId: string): Promise<T> {
  let object: T;
  try {
    object = await create({ threadId });
  } catch (cause) {
    throw new MiddlewareError("create_failed", `Making the resource "${key}" failed`, { cause });
  }
  if (typeof object !== "object" && typeof object !== "function") {
    throw new MiddlewareError("create_failed", `create of the resource "${key}" gave back no object`);
  }
  return object;
}

function threadOf(runtime: RuntimeLike, key: string): string {
  const threadId = runtime?.configurable?.thread_id;
  if (typeof threadId !== "string" || threadId === "") {
    throw new MiddlewareError("no_thread", `The resource "${key}" belongs to a thread; pass { configurable: { thread_id } } to the run`);
  }
  return threadId;
}
