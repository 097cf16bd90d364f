import type { Known, Piece, StoredItem, StoredPart } from "./known.ts";
import type { KnownPiece } from "./known-piece.ts";
import { type NamedPart, type Part, plainPart } from "./part.ts";
import type { PieceContext } from "./pieces.ts";
import type { Slot } from "./slot.ts";
import { digestKey } from "./tokens.ts";

/** Smaller elements stay where they are: a reference and a row would take as much. */
export const MIN_PART = 96;

/** A live element, and where it lies once a value is stored. */
export interface Learned {
  readonly element: object;
  part: StoredPart | undefined;
  item: StoredItem | undefined;
  /** Bytes that it takes there. */
  size: number;
  /** Whether it was written anew. */
  isNew: boolean;
}

/** Elements that were found to have no objects of their own in common, once all of them are stored. */
export interface LearnedBatch {
  readonly learned: readonly Learned[];
  /** Those that were known before. */
  readonly unchanged: readonly (Known | KnownPiece)[];
  /** When they were written, as `SharedObjects` counts time. */
  readonly sharedAt: number;
}

/** Takes in the parts of a value, and what there is to learn about its elements. */
export class PartCollector implements PieceContext {
  readonly seed: number;
  readonly #name: (part: Part) => Uint8Array;
  readonly #write: (element: object) => Part;
  readonly #parts = new Map<string, NamedPart>();
  readonly #learned = new Map<object, Learned>();
  readonly #batches: LearnedBatch[] = [];

  /** `write` writes an element after all that is known. */
  constructor(name: (part: Part) => Uint8Array, write: (element: object) => Part) {
    this.#name = name;
    this.#write = write;
    const [first, second] = name(plainPart(new Uint8Array(1)));
    this.seed = ((first as number) << 8) | (second as number);
  }

  get parts(): NamedPart[] {
    return [...this.#parts.values()];
  }

  get learned(): Learned[] {
    return [...this.#learned.values()];
  }

  /** What was learned about values inside of this one, which are values of their own. */
  get batches(): LearnedBatch[] {
    return this.#batches;
  }

  addAll(parts: readonly NamedPart[], batches: readonly LearnedBatch[]): void {
    for (const part of parts) this.#parts.set(digestKey(part.digest), part);
    this.#batches.push(...batches);
  }

  /** Take in an element's part. */
  add(object: object | undefined, part: Part, digest: Uint8Array): void {
    this.#parts.set(digestKey(digest), { ...part, digest });
    if (object === undefined) return;
    const { document, isIndex, identity } = part;
    this.#learn(object, document.length, true).part = {
      digest,
      size: document.length,
      isIndex,
      isShared: identity !== undefined,
    };
  }

  refer({ object, part, digest, bytes }: Slot): Uint8Array {
    if (part !== undefined && digest !== undefined) this.add(object, part, digest);
    return bytes;
  }

  again({ object }: Slot): Uint8Array {
    return this.#write(object as object).document;
  }

  complete(slot: Slot): void {
    if (slot.known === undefined || slot.digest !== undefined) return;
    const part = this.#write(slot.object as object);
    if (part.document.length >= MIN_PART) return slot.becomes(part, this.#name);
    slot.bytes = part.document;
    slot.isIndex = part.isIndex;
  }

  store(document: Uint8Array, isIndex: boolean): Uint8Array {
    const part = { document, isIndex, isPiece: true, identity: undefined };
    const digest = this.#name(part);
    this.#parts.set(digestKey(digest), { ...part, digest });
    return digest;
  }

  place(slot: Slot, piece: Piece, index: number): void {
    const { object, known, isApart, isIndex, name, size } = slot;
    if (object === undefined || isApart) return;
    this.#learn(object, size, known === undefined).item = { piece, index, name, isIndex };
  }

  #learn(element: object, size: number, isNew: boolean): Learned {
    let learned = this.#learned.get(element);
    if (learned === undefined) {
      learned = { element, part: undefined, item: undefined, size, isNew };
      this.#learned.set(element, learned);
    }
    learned.isNew ||= isNew;
    return learned;
  }
}
