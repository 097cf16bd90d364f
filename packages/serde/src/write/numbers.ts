/**
 * The numbers of the objects of one document, in the order in which they are met.
 *
 * Most documents ask for none. So objects are only put into a set, which keeps their order, and are
 * counted when a number is asked for, each once.
 */
export class Numbers {
  /** Objects; and in place of each number that was left out, something that is no object. */
  readonly #met = new Set<unknown>();
  #size = 0;
  readonly #numbers = new Map<unknown, number>();
  #uncounted: Iterator<unknown> | undefined;

  /** Give an object the next number; false when it has one. */
  add(object: object): boolean {
    const met = this.#met;
    met.add(object);
    const { size } = met;
    if (size === this.#size) return false;
    this.#size = size;
    return true;
  }

  /** The number of an object that was added. */
  of(object: object): number {
    const numbers = this.#numbers;
    this.#uncounted ??= this.#met.values();
    while (!numbers.has(object)) numbers.set(this.#uncounted.next().value, numbers.size);
    return numbers.get(object) as number;
  }

  /** Leave a number out. */
  skip(): void {
    this.#met.add(this.#size++);
  }
}
