import type { Piece, Stored } from "./known-elements.ts";
import { type NamedPart, type Part, plainPart } from "./part.ts";
import type { PieceContext, Slot } from "./pieces.ts";
import { digestKey, reference } from "./tokens.ts";

/** Smaller elements stay where they are: a reference and a row would take as much. */
export const MIN_PART = 96;

/** A live element, and where it lies once a value is stored. */
export interface Learned {
  readonly element: object;
  readonly stored: Stored;
  /** Whether it was written anew. */
  readonly isNew: boolean;
}

/** Takes in the parts of a value, and what there is to learn about its elements. */
export class PartCollector implements PieceContext {
  readonly seed: number;
  readonly #name: (part: Part) => Uint8Array;
  readonly #write: (element: object) => Omit<Part, "identity">;
  readonly #parts = new Map<string, NamedPart>();
  readonly #learned = new Map<object, Learned>();

  /** `write` writes an element after all that is known. */
  constructor(
    name: (part: Part) => Uint8Array,
    write: (element: object) => Omit<Part, "identity">,
  ) {
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

  addAll(parts: readonly NamedPart[], learned: readonly Learned[]): void {
    for (const part of parts) this.#parts.set(digestKey(part.digest), part);
    for (const { element, stored, isNew } of learned) this.#learn(element, stored, isNew);
  }

  /** Take in an element's part; nothing for an element that is none. */
  add({ object, part, digest }: Pick<Slot, "object" | "part" | "digest">): void {
    if (part === undefined || digest === undefined) return;
    this.#parts.set(digestKey(digest), { ...part, digest });
    if (object === undefined) return;
    const { document, isIndex, identity } = part;
    const stored = { digest, size: document.length, isIndex, isShared: identity !== undefined };
    this.#learn(object, stored, true);
  }

  refer(slot: Slot): Uint8Array {
    this.add(slot);
    return slot.bytes;
  }

  again({ object }: Slot): Uint8Array {
    return this.#write(object as object).document;
  }

  named(slot: Slot): Slot {
    if (slot.known === undefined || slot.digest !== undefined) return slot;
    const part = { ...this.#write(slot.object as object), identity: undefined };
    const { document, isIndex } = part;
    if (document.length < MIN_PART) return { ...slot, bytes: document, isIndex };
    const digest = this.#name(part);
    return { ...slot, bytes: reference(digest), part, digest, isIndex };
  }

  store(document: Uint8Array, isIndex: boolean): Uint8Array {
    const part = { ...plainPart(document), isIndex, isPiece: true };
    const digest = this.#name(part);
    this.#parts.set(digestKey(digest), { ...part, digest });
    return digest;
  }

  place({ object, known, isApart, isIndex, name }: Slot, piece: Piece, index: number): void {
    if (object === undefined || isApart) return;
    this.#learn(object, { piece, index, name, isIndex }, known === undefined);
  }

  #learn(element: object, stored: Stored, isNew: boolean): void {
    const before = this.#learned.get(element);
    this.#learned.set(element, {
      element,
      stored: { ...before?.stored, ...stored },
      isNew: isNew || before?.isNew === true,
    });
  }
}
