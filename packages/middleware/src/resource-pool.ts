import { PersistenceError } from "./errors.ts";
import { keepWhole } from "./langgraph.ts";

/** How a pool makes and ends its objects. */
export interface PoolOptions<T extends object> {
  readonly key: string;
  readonly create: (context: {
    readonly threadId: string;
    readonly signal: AbortSignal;
  }) => T | Promise<T>;
  readonly dispose: ((object: T) => void | Promise<void>) | undefined;
  /** Milliseconds without use after which an object ends. */
  readonly idleMs: number;
  /** How many objects may stand unused. */
  readonly max: number;
  /** Told of objects whose end failed where nobody waits for it. */
  readonly onError: (error: PersistenceError) => void;
}

interface Slot<T> {
  readonly ready: Promise<T>;
  object: T | undefined;
  /** Runs and calls that use the object now. */
  users: number;
  readonly abort: AbortController;
  timer: NodeJS.Timeout | undefined;
}

/**
 * One object per thread. Created once, however many ask at a time; kept while somebody uses it;
 * ended when it was idle for long, or is the one unused for longest among too many.
 */
export class ResourcePool<T extends object> {
  readonly #options: PoolOptions<T>;
  /** In order of last use, the oldest first. */
  readonly #slots = new Map<string, Slot<T>>();

  constructor(options: PoolOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** The thread's object, made when it is missing. */
  ensure(threadId: string): Promise<T> {
    const slot = this.#slots.get(threadId) ?? this.#add(threadId);
    this.#touch(threadId, slot);
    return slot.ready;
  }

  peek(threadId: string): T | undefined {
    return this.#slots.get(threadId)?.object;
  }

  /** Keep the thread's object from ending until `release` is called as often. */
  retain(threadId: string): void {
    const slot = this.#slots.get(threadId);
    if (slot === undefined) return;
    slot.users++;
    clearTimeout(slot.timer);
  }

  release(threadId: string): void {
    const slot = this.#slots.get(threadId);
    if (slot === undefined || slot.users === 0) return;
    slot.users--;
    this.#touch(threadId, slot);
    this.#endSurplus();
  }

  /**
   * End the thread's object, in use or not. One that is being made is not waited for: who asked for
   * it gets an error, and it ends when it is ready.
   *
   * @throws {@link PersistenceError} `dispose_failed`
   */
  async dispose(threadId: string): Promise<void> {
    const slot = this.#slots.get(threadId);
    if (slot === undefined) return;
    this.#slots.delete(threadId);
    clearTimeout(slot.timer);
    slot.abort.abort(
      new PersistenceError(
        "create_failed",
        `The resource "${this.#options.key}" was ended while it was made`,
      ),
    );
    let object: T;
    try {
      // Without a wait where none is needed: while the process exits nothing asynchronous runs.
      object = slot.object ?? (await slot.ready);
    } catch {
      return; // It was never made; whoever asked for it has the error.
    }
    try {
      await this.#options.dispose?.(object);
    } catch (cause) {
      throw new PersistenceError(
        "dispose_failed",
        `Ending the resource "${this.#options.key}" failed`,
        { cause },
      );
    }
  }

  /** End every object; one that fails does not keep the others. */
  async disposeAll(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((threadId) => this.#disposeQuietly(threadId)));
  }

  #add(threadId: string): Slot<T> {
    const abort = new AbortController();
    const slot: Slot<T> = {
      ready: this.#make(threadId, abort.signal),
      object: undefined,
      users: 0,
      abort,
      timer: undefined,
    };
    this.#slots.set(threadId, slot);
    slot.ready.then(
      (object) => {
        slot.object = object;
      },
      // Whoever waits gets the error; the next one tries anew.
      () => {
        if (this.#slots.get(threadId) === slot) this.#slots.delete(threadId);
      },
    );
    this.#endSurplus(threadId);
    return slot;
  }

  async #make(threadId: string, signal: AbortSignal): Promise<T> {
    const { key, create } = this.#options;
    let object: T;
    try {
      object = await this.#unlessEnded(create({ threadId, signal }), signal);
    } catch (cause) {
      throw new PersistenceError("create_failed", `Making the resource "${key}" failed`, { cause });
    }
    if ((typeof object !== "object" && typeof object !== "function") || object === null) {
      throw new PersistenceError(
        "create_failed",
        `create of the resource "${key}" gave back no object`,
      );
    }
    return keepWhole(object);
  }

  /** What `create` makes; an end on the way is not kept waiting by it. */
  async #unlessEnded(made: T | Promise<T>, signal: AbortSignal): Promise<T> {
    const making = Promise.resolve(made);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    try {
      return await Promise.race([making, ended]);
    } catch (error) {
      // One that comes too late is nobody's.
      if (signal.aborted)
        void making.then(
          (object) => this.#endLate(object),
          () => {},
        );
      throw error;
    }
  }

  async #endLate(object: T): Promise<void> {
    try {
      await this.#options.dispose?.(object);
    } catch (cause) {
      const message = `Ending the resource "${this.#options.key}" failed`;
      this.#report(new PersistenceError("dispose_failed", message, { cause }));
    }
  }

  /** Most recently used from now on, and its idle time starts anew. */
  #touch(threadId: string, slot: Slot<T>): void {
    if (this.#slots.get(threadId) !== slot) return;
    this.#slots.delete(threadId);
    this.#slots.set(threadId, slot);
    clearTimeout(slot.timer);
    if (slot.users > 0 || this.#options.idleMs === Number.POSITIVE_INFINITY) return;
    slot.timer = setTimeout(() => {
      if (slot.users === 0) void this.#disposeQuietly(threadId);
    }, this.#options.idleMs);
    // Waiting for idle objects must not keep the process alive.
    slot.timer.unref();
  }

  #endSurplus(except?: string): void {
    let surplus = this.#slots.size - this.#options.max;
    for (const [threadId, slot] of this.#slots) {
      if (surplus <= 0) return;
      if (slot.users > 0 || threadId === except) continue;
      void this.#disposeQuietly(threadId);
      surplus--;
    }
  }

  /** Nobody waits for this, so an exception in the listener would end the process. */
  #report(error: PersistenceError): void {
    try {
      this.#options.onError(error);
    } catch (thrown) {
      process.emitWarning(
        `onError of the resource "${this.#options.key}" threw ${thrown instanceof Error ? thrown.name : "something that is no Error"}`,
      );
    }
  }

  async #disposeQuietly(threadId: string): Promise<void> {
    try {
      await this.dispose(threadId);
    } catch (error) {
      this.#report(error as PersistenceError);
    }
  }
}
