/** Tells which objects must not be stored. */
export interface Omit {
  (value: object): boolean;
  /**
   * The same for objects that are asked about again and again. Undefined when one of them must not be
   * stored; otherwise a mark to bring along the next time, so that only what became known since is
   * looked for.
   */
  readonly clears?: (objects: readonly object[], mark: object | undefined) => object | undefined;
}
