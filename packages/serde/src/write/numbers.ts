import { NumberedBlocks } from "./numbered-blocks.ts";

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
  /** Objects that were taken over with a block. */
  #blocks: NumberedBlocks | undefined;
  /** How far {@link from} has come. */
  #later: Iterator<object> | undefined;
  #counted = 0;
  #countedSkips = 0;

  /** Give an object the next number; false when it has one. */
  add(object: object): boolean {
    const met = this.#met;
    met.add(object);
    const { size } = met;
    if (size === this.#size) return false;
    if (this.#blocks?.has(object) === true) {
      met.delete(object);
      return false;
    }
    this.#size = size;
    return true;
  }

  /** The number of an object that was added. */
  of(object: object): number {
    const inBlock = this.#blocks?.numberOf(object);
    if (inBlock !== undefined) return inBlock;
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

  /** The number that comes next. */
  get next(): number {
    return this.#size + this.#skips.length;
  }

  /** Add the objects of a block with the next numbers. False, and nothing is added, when one has a number. */
  addBlock(numbered: readonly (object | undefined)[], batch: number): boolean {
    const blocks = (this.#blocks ??= new NumberedBlocks());
    if (!blocks.add(numbered, batch, this.next, this.#met)) return false;
    for (let i = 0; i < numbered.length; i++) this.skip();
    return true;
  }

  /** The objects that have numbers from `start` on; undefined for those left out. `start` only grows. */
  from(start: number): (object | undefined)[] {
    const found: (object | undefined)[] = [];
    const add = (object: object | undefined): void => {
      if (this.#counted + this.#countedSkips >= start) found.push(object);
    };
    // One iterator for all calls, which never gets to the end: it would not go on from there.
    this.#later ??= this.#met.values();
    for (;;) {
      while ((this.#skips[this.#countedSkips] as number) <= this.#counted) {
        add(undefined);
        this.#countedSkips++;
      }
      if (this.#counted === this.#size) return found;
      add(this.#later.next().value as object);
      this.#counted++;
    }
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
