import {
  type Block,
  BLOCK_ITEMS,
  type KnownBlocks,
  LONG_LIST,
  MIN_BLOCK_ITEMS,
  type WrittenBlock,
} from "./known-blocks.ts";

/** What a walk does for the blocks of a list. */
export interface BlockWriter {
  /** Write an item of the list. */
  item(value: unknown, index: number): void;
  hole(): void;
  /** Write a block that is known; false when it does not fit here. */
  take(block: Block): boolean;
  /** What items take that are written meanwhile; undefined when they can't be a block. */
  written(write: () => void): WrittenBlock | undefined;
}

/** The blocks that one document takes over, and those that it gives. */
export class DocumentBlocks {
  readonly #known: KnownBlocks;
  readonly #blocks: Block[] = [];

  constructor(known: KnownBlocks) {
    this.#known = known;
  }

  /** Whether a list is worth it. Learns of it for the next time. */
  takes(list: readonly unknown[]): boolean {
    return list.length >= LONG_LIST && this.#known.meets(list[0]);
  }

  /** Write the items of a list; gives how many of them are missing. */
  write(source: readonly unknown[], writer: BlockWriter): number {
    // An item that is a getter's is asked for once.
    const list: unknown[] = [];
    for (let i = 0; i < source.length; i++) list.push(source[i]);
    let holes = 0;
    for (let at = 0; at < list.length;) {
      const block = this.#known.find(list, at);
      if (block !== undefined && writer.take(block)) {
        this.#blocks.push(block);
        at += block.elements.length;
        continue;
      }
      const elements = run(list, at);
      if (elements.length < MIN_BLOCK_ITEMS) {
        if (list[at] === undefined && !Object.hasOwn(source, at)) {
          holes++;
          writer.hole();
        } else {
          writer.item(list[at], at);
        }
        at++;
        continue;
      }
      const from = at;
      at += elements.length;
      const write = (): void => elements.forEach((each, i) => writer.item(each, from + i));
      // Asked first: what has no snapshot runs code of others, and its bytes are not worth keeping.
      const snapshot = this.#known.snapshot(elements);
      if (snapshot === undefined) {
        write();
        continue;
      }
      const written = writer.written(write);
      if (written !== undefined) this.#blocks.push({ ...written, elements, snapshot, batch: 0 });
    }
    return holes;
  }

  /** The document is whole. */
  keep(): void {
    if (this.#blocks.length > 0) this.#known.keep(this.#blocks);
  }
}

/** The objects that follow one another from a place on. */
function run(list: readonly unknown[], at: number): object[] {
  const found: object[] = [];
  for (let i = at; i < list.length && found.length < BLOCK_ITEMS; i++) {
    const item = list[i];
    if (typeof item !== "object" || item === null) break;
    found.push(item);
  }
  return found;
}
