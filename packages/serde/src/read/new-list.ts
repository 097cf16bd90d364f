const EMPTY: readonly never[] = [];

/**
 * An empty list for what is read.
 *
 * Not a literal: of those an engine learns that they live long, and then makes them in old space,
 * where a list that is dead keeps what it held from being collected cheaply. The list of a thread's
 * messages holds all there is; loading one again and again took twice the processor time.
 */
export function newList<T>(): T[] {
  return EMPTY.slice();
}
