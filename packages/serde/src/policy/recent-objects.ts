/** How many objects are remembered; who was away for longer has to look at everything. */
const REMEMBERED = 16;

/** A point in time of one {@link RecentObjects}. */
interface Mark {
  readonly of: RecentObjects;
  readonly count: number;
}

/** The objects that were added last, held weakly, and which of them are newer than a mark. */
export class RecentObjects {
  readonly #last: WeakRef<object>[] = [];
  #now: Mark = { of: this, count: 0 };

  /** The present, for {@link since}. */
  get now(): object {
    return this.#now;
  }

  add(value: object): void {
    if (this.#last.length === REMEMBERED) this.#last.shift();
    this.#last.push(new WeakRef(value));
    this.#now = { of: this, count: this.#now.count + 1 };
  }

  /** What was added since then and is still there; undefined where nobody knows any more. */
  since(mark: object | undefined): object[] | undefined {
    const { of, count } = (mark ?? {}) as Partial<Mark>;
    if (of !== this || count === undefined) return undefined;
    const added = this.#now.count - count;
    if (added > this.#last.length) return undefined;
    return this.#last
      .slice(this.#last.length - added)
      .map((reference) => reference.deref())
      .filter((value) => value !== undefined);
  }
}
