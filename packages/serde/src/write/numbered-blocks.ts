/** So few objects are looked for one by one: a set of all would take longer to make. */
const FEW = 48;

interface NumberedBlock {
  /** The number of its first object. */
  readonly start: number;
  readonly numbered: readonly (object | undefined)[];
}

/** The objects of the blocks that a document takes over, with their numbers. */
export class NumberedBlocks {
  readonly #blocks: NumberedBlock[] = [];
  readonly #taken = new Set<unknown>();
  /** The batch of the first one. */
  #batch: number | undefined;
  #asked = 0;
  #all: Set<object> | undefined;

  has(object: object): boolean {
    if (this.#all === undefined && this.#asked++ < FEW)
      return this.#blocks.some(({ numbered }) => numbered.includes(object));
    return this.#objects().has(object);
  }

  numberOf(object: object): number | undefined {
    for (const { start, numbered } of this.#blocks) {
      const place = numbered.indexOf(object);
      if (place >= 0) return start + place;
    }
    return undefined;
  }

  /** Add a block. False when one of its objects has a number, in a block of another batch or among `met`. */
  add(
    numbered: readonly (object | undefined)[],
    batch: number,
    start: number,
    met: ReadonlySet<object>,
  ): boolean {
    if (this.#taken.has(numbered) || isMet(numbered, met)) return false;
    this.#batch ??= batch;
    if (batch !== this.#batch && isMet(numbered, this.#objects())) return false;
    this.#taken.add(numbered);
    this.#blocks.push({ start, numbered });
    if (this.#all !== undefined) addTo(this.#all, numbered);
    return true;
  }

  #objects(): Set<object> {
    if (this.#all === undefined) {
      this.#all = new Set();
      for (const { numbered } of this.#blocks) addTo(this.#all, numbered);
    }
    return this.#all;
  }
}

function isMet(numbered: readonly (object | undefined)[], met: ReadonlySet<object>): boolean {
  if (met.size <= FEW) {
    for (const object of met) if (numbered.includes(object)) return true;
    return false;
  }
  return numbered.some((object) => object !== undefined && met.has(object));
}

function addTo(all: Set<object>, numbered: readonly (object | undefined)[]): void {
  for (const object of numbered) if (object !== undefined) all.add(object);
}
