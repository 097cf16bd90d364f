/** Whoever holds something for a thread that has to end with it. */
export interface Ending {
  /** End what is held for the thread; nothing where nothing is. */
  dispose(threadId: string): Promise<void>;
}

/** The property under which a saver of this package offers its {@link ThreadEnds}. */
const ENDS: unique symbol = Symbol.for("threadkeep.thread-ends");

const known = new WeakMap<object, ThreadEnds>();

/**
 * What ends when a thread of a storage is deleted, by whichever saver over that storage: one that
 * was given more types is another object. Members are held weakly; each lives as long as its graph.
 */
export class ThreadEnds {
  #members: WeakRef<Ending>[] = [];
  readonly #joined = new WeakSet<Ending>();
  #sweepAt = 64;

  /** Those of a storage: a database, or the saver that is wrapped. */
  static of(storage: object): ThreadEnds {
    const found = known.get(storage);
    if (found !== undefined) return found;
    const made = new ThreadEnds();
    known.set(storage, made);
    return made;
  }

  join(member: Ending): void {
    if (this.#joined.has(member)) return;
    this.#joined.add(member);
    this.#members.push(new WeakRef(member));
    if (this.#members.length < this.#sweepAt) return;
    this.#members = this.#members.filter((each) => each.deref() !== undefined);
    this.#sweepAt = Math.max(64, this.#members.length * 2);
  }

  /** How many members are remembered; those that are gone may be among them. */
  get size(): number {
    return this.#members.length;
  }

  /** The thread is gone. What fails to end does not keep the others from ending. */
  async dispose(threadId: string): Promise<void> {
    const members = this.#members.map((each) => each.deref()).filter((each) => each !== undefined);
    const results = await Promise.allSettled(members.map((each) => each.dispose(threadId)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

export function offerThreadEnds(saver: object, ends: ThreadEnds): void {
  Object.defineProperty(saver, ENDS, { value: ends });
}

/** Let something end with the threads of a saver of this package. */
export function endWithThreads(saver: object, member: Ending): void {
  (saver as { readonly [ENDS]?: Pick<ThreadEnds, "join"> })[ENDS]?.join(member);
}
