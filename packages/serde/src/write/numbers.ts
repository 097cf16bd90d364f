/**
 * The numbers of the objects of one document, in the order in which they are met.
 *
 * Most documents ask for none. So objects are only put into a set, which keeps their order, and are
 * counted when a number is asked for, each once.
 */
export class Numbers {
  readonly #met = new Set<object>();
  #size = 0;
  /** For each number that was left out, how many objects had been met. */
  readonly #skips: number[] = [];
  readonly #numbers = new Map<object, number>();
  #uncounted: Iterator<object> | undefined;
  #skipped = 0;

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
    while (!numbers.has(object)) {
      while ((this.#skips[this.#skipped] as number) <= numbers.size) this.#skipped++;
      numbers.set(this.#uncounted.next().value as object, numbers.size + this.#skipped);
    }
    return numbers.get(object) as number;
  }

  /** Leave a number out. */
  skip(): void {
    this.#skips.push(this.#size);
  }
}

/** A number as the body of a reference to it: one, two or four bytes. */
export function referenceBody(number: number): Uint8Array {
  if (number < 0x100) return Uint8Array.of(number);
  if (number < 0x1_0000) return Uint8Array.of(number >> 8, number & 0xff);
  const body = new Uint8Array(4);
  new DataView(body.buffer).setUint32(0, number);
  return body;
}
