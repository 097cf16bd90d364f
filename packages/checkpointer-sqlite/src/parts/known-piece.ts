import type { ListSnapshot } from "@threadkeep/serde/parts";
import { Known, type Piece } from "./known.ts";

/** Where a list's elements lie that are known together. */
export type KnownPieceParts = Pick<
  KnownPiece,
  "piece" | "items" | "snapshot" | "generation" | "sharedAt" | "weight" | "batch"
>;

/**
 * The elements of a piece as it was read, known together for as long as nothing asks for one of them
 * alone: most are never looked at but to see that nothing has changed.
 */
export class KnownPiece {
  readonly piece: Piece;
  readonly items: readonly object[];
  readonly snapshot: ListSnapshot;
  /** These as those of {@link Known}. */
  readonly generation: number;
  sharedAt: number;
  cleared: object | undefined;
  batch: number;
  /** Bytes that one item takes in storage, more or less. */
  readonly weight: number;

  constructor(parts: KnownPieceParts) {
    this.piece = parts.piece;
    this.items = parts.items;
    this.snapshot = parts.snapshot;
    this.generation = parts.generation;
    this.sharedAt = parts.sharedAt;
    this.batch = parts.batch;
    this.weight = parts.weight;
  }

  get objects(): readonly object[] {
    return this.snapshot.objects;
  }

  get ownCount(): number {
    return this.objects.length;
  }

  /** The element that an object stands in, by its place among {@link objects}. */
  elementAt(place: number): object {
    return this.items[this.snapshot.itemOf(place)] as object;
  }

  /** Each element on its own. */
  split(): Known[] {
    const { piece, generation, batch, sharedAt, cleared, weight } = this;
    return this.items.map((element, index) => {
      const snapshot = this.snapshot.at(index);
      const known = new Known({
        element,
        snapshot,
        generation,
        batch,
        sharedAt,
        weight,
        from: this,
      });
      known.cleared = cleared;
      known.setItem({ piece, index, name: undefined, isIndex: false });
      return known;
    });
  }
}
