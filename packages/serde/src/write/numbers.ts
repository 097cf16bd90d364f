/**
 * The numbers of the objects of one document, in the order in which they are met.
 */
export class Numbers {
  readonly #numbers = new Map<object, number>();
  #next = 0;

  /** Give an object the next number; false when it has one. */
  add(object: object): boolean {
    if (this.#numbers.has(object)) return false;
    this.#numbers.set(object, this.#next++);
    return true;
  }

  /** The number of an object that was added. */
  of(object: object): number {
    return this.#numbers.get(object) as number;
  }

  /** Leave a number out. */
  skip(): void {
    this.#next++;
  }
}
