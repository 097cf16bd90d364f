/** What may be stored of one graph's state. */
export interface StatePolicy {
  /** Channels whose values are never stored. */
  readonly untracked: ReadonlySet<string>;
  /** Channels whose values are stored in their own place only, never in what a `Send` carries. */
  readonly private: ReadonlySet<string>;
  /** Live objects: values seen under an untracked name, to be left out wherever else they appear. */
  readonly live: LiveObjects;
}

/**
 * The objects seen under untracked names, held weakly: the same object reached another way is left
 * out too.
 */
export class LiveObjects {
  readonly #seen = new WeakSet<object>();

  /** Learn an untracked value. Primitives have no identity and are not learnt. */
  add(value: unknown): void {
    if ((typeof value === "object" && value !== null) || typeof value === "function")
      this.#seen.add(value);
  }

  has(value: object): boolean {
    return this.#seen.has(value);
  }
}
