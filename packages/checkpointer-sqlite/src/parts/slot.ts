import type { Known } from "./known.ts";
import type { KnownPiece } from "./known-piece.ts";
import { type Part, plainPart } from "./part.ts";
import { reference } from "./tokens.ts";

/** An item of a collection on its way into storage. */
export class Slot {
  /** The live object, where the item is one that may be learned. */
  readonly object: object | undefined;
  known: Known | undefined;
  /** The piece that it is taken over with, as a whole. */
  kept: KnownPiece | undefined;
  /** What stands for the item in the collection: its document, or a reference to that. */
  bytes: Uint8Array;
  /** Itself and its name, when it is large enough to be a part. */
  part: Part | undefined;
  digest: Uint8Array | undefined;
  /** Whether its document refers to parts that are worth fetching ahead. */
  isIndex = false;
  /** Whether it is one object wherever it stands. */
  isApart = false;
  /** The bytes of its key, in records and Maps; and the key, where it is a text. */
  key: Uint8Array | undefined;
  name: string | undefined;

  constructor(object: object | undefined, bytes: Uint8Array, known?: Known) {
    this.object = object;
    this.bytes = bytes;
    this.known = known;
    this.digest = known?.digest;
    this.isIndex = known?.isIndex === true;
  }

  /** A text or the like, which is no object; as a part when it is large. */
  static ofPrimitive(document: Uint8Array, nameOf?: (part: Part) => Uint8Array): Slot {
    const slot = new Slot(undefined, document);
    if (nameOf !== undefined) slot.becomes(plainPart(document), nameOf);
    return slot;
  }

  /** Make it a part of its own. */
  becomes(part: Part, nameOf: (part: Part) => Uint8Array): void {
    this.part = part;
    this.digest = nameOf(part);
    this.bytes = reference(this.digest);
    this.isIndex = part.isIndex;
  }

  /** Bytes of the item's own document; 0 when it is known by its piece only. */
  get size(): number {
    if (this.digest === undefined) return this.bytes.length;
    return this.part?.document.length ?? this.known?.size ?? 0;
  }
}
