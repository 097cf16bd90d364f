import { type NamedPart, plainPart } from "../parts/part.ts";
import type { LearnedBatch } from "../parts/part-collector.ts";
import type { PartedValue } from "../parts/parted-value.ts";
import { partsIn, reference } from "../parts/tokens.ts";
import type { OwnValue } from "./header.ts";
import type { Sealing } from "./sealing.ts";
import type { RootRow } from "./statements.ts";

/** Larger documents become parts, so that rows stay short and equal ones lie there once. */
const MAX_ROW_BYTES = 384;

/** What one call stores besides its rows, made ready before the transaction opens. */
export class Batch {
  readonly parts: NamedPart[] = [];
  /** Where live elements lie once all of it is stored. */
  readonly batches: LearnedBatch[] = [];
  readonly #sealing: Sealing;
  readonly #threadId: string;

  constructor(sealing: Sealing, threadId: string) {
    this.#sealing = sealing;
    this.#threadId = threadId;
  }

  /** Take in a value; gives the document for its row. */
  add({ tag, root, parts, batches }: PartedValue & { readonly tag: string | null }): OwnValue {
    this.parts.push(...parts);
    this.batches.push(...batches);
    return { tag, document: this.short(root) };
  }

  /** The document for a row: a long one is stored as a part, and referred to. */
  short(document: Uint8Array): Uint8Array {
    if (document.length <= MAX_ROW_BYTES) return document;
    const part = { ...plainPart(document), isIndex: partsIn(document).length > 0 };
    const digest = this.#sealing.name(part);
    this.parts.push({ ...part, digest });
    return reference(digest);
  }

  seal({ tag, document }: OwnValue): RootRow {
    return { tag, root: this.#sealing.seal(this.#threadId, document) };
  }
}
