import { ListSnapshot } from "../parts/list-snapshot.ts";
import { Layouts } from "../parts/layout.ts";

/** Shorter lists are written faster than they are compared with what is known. */
export const LONG_LIST = 32;
/** A block has so many items at most, and at least. */
export const BLOCK_ITEMS = 32;
export const MIN_BLOCK_ITEMS = 8;
/** Once blocks of so many bytes were learned, those that were not used since are forgotten. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Some items of a list, one after another, as they were written. */
export interface WrittenBlock {
  readonly bytes: Uint8Array;
  /** Objects in the order of their numbers; undefined for a number that was left out. */
  readonly numbered: readonly (object | undefined)[];
  /** What it counts against the limits. */
  readonly items: number;
  readonly depth: number;
  /** Whether it has what only JavaScript reads. */
  readonly js: boolean;
}

/** Items of a list that need no writing as long as they are what they were. */
export interface Block extends WrittenBlock {
  readonly elements: readonly object[];
  readonly snapshot: ListSnapshot;
  /** Blocks that stood in one document have no objects in common. */
  batch: number;
}

/**
 * Long lists as they were written last, in blocks: an agent stores its history again and again, and
 * comparing it with what it was takes a fraction of writing it.
 *
 * A list is learned when it is written a second time, so what is written once costs nothing. Held
 * weakly: a block goes with its first element, or when too many have come after it.
 */
export class KnownBlocks {
  /** First elements of lists that were written. */
  readonly #seen = new WeakSet<object>();
  #latest = new WeakMap<object, Block>();
  #before = new WeakMap<object, Block>();
  #bytes = 0;
  #batches = 0;
  readonly #layouts = new Layouts();

  /** Whether a list that begins with this element was written before. */
  meets(first: unknown): boolean {
    if (typeof first !== "object" || first === null) return false;
    if (this.#seen.has(first)) return true;
    this.#seen.add(first);
    return false;
  }

  /** The block that stands at a place of a list, if all its elements are there, and as they were. */
  find(list: readonly unknown[], at: number): Block | undefined {
    const first = list[at];
    if (typeof first !== "object" || first === null) return undefined;
    const block = this.#latest.get(first) ?? this.#before.get(first);
    if (block === undefined) return undefined;
    const { elements } = block;
    for (let i = 0; i < elements.length; i++) if (list[at + i] !== elements[i]) return undefined;
    return block.snapshot.holds() ? block : undefined;
  }

  /** What elements look like that may be a block: plain data and messages. */
  snapshot(elements: readonly object[]): ListSnapshot | undefined {
    return ListSnapshot.of(elements, { layouts: this.#layouts });
  }

  /** A document is done: what stood in it has no objects in common. */
  keep(blocks: readonly Block[]): void {
    const batch = ++this.#batches;
    for (const block of blocks) {
      block.batch = batch;
      const first = block.elements[0] as object;
      if (this.#latest.get(first) === block) continue;
      this.#latest.set(first, block);
      this.#bytes += block.bytes.length;
      if (this.#bytes > MAX_BYTES) this.#turn();
    }
  }

  #turn(): void {
    this.#before = this.#latest;
    this.#latest = new WeakMap();
    this.#bytes = 0;
  }
}
