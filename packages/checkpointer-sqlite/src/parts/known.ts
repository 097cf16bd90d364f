import type { Snapshot } from "@threadkeep/serde/parts";
import { reference } from "./tokens.ts";

/** A closed piece of a collection, and how many items it has. */
export interface Piece {
  readonly digest: Uint8Array;
  readonly count: number;
}

/** An element's part. */
export interface StoredPart {
  readonly digest: Uint8Array;
  /** Length of its document. */
  readonly size: number;
  /** Whether it refers to elements that are stored apart from it. */
  readonly isIndex: boolean;
  /** Whether it has the element's identity. */
  readonly isShared: boolean;
}

/** An element's place in a piece. */
export interface StoredItem {
  readonly piece: Piece;
  readonly index: number;
  /** Its key, where the piece is one of a record or Map. */
  readonly name: string | undefined;
  readonly isIndex: boolean;
}

/** An element that was stored or loaded, as it was then, and where it lies: as a part, in a piece, or both. */
export class Known {
  readonly element: object;
  readonly snapshot: Snapshot;
  /** Generation of the thread when it was learned: once that has grown, parts may be gone. */
  readonly generation: number;
  /** Elements of one batch have no objects of their own in common. */
  batch: number;
  /** Up to when it is known that its documents tell which of its objects are shared. */
  sharedAt: number;
  /** Since when none of its objects is to be left out, as the hook marks it that was asked. */
  cleared: object | undefined;
  /** Bytes that it takes in storage, more or less. */
  readonly weight: number;
  /** The document that stands for its part. */
  bytes: Uint8Array | undefined;
  digest: Uint8Array | undefined;
  /** Length of its part's document; 0 without one. */
  size = 0;
  piece: Piece | undefined;
  index = 0;
  name: string | undefined;
  isIndex = false;
  isShared = false;
  /** What it was known with before it was asked for alone. */
  readonly from: object | undefined;

  constructor({
    element,
    snapshot,
    generation,
    batch,
    sharedAt,
    weight,
    from,
  }: Pick<Known, "element" | "snapshot" | "generation" | "batch" | "sharedAt" | "weight"> & {
    readonly from?: object;
  }) {
    this.element = element;
    this.snapshot = snapshot;
    this.generation = generation;
    this.batch = batch;
    this.sharedAt = sharedAt;
    this.weight = weight;
    this.from = from;
  }

  get objects(): readonly object[] {
    return this.snapshot.objects;
  }

  /** So many of the objects are its own; see {@link Snapshot}. */
  get ownCount(): number {
    return this.snapshot.ownCount;
  }

  elementAt(): object {
    return this.element;
  }

  setPart({ digest, size, isIndex, isShared }: StoredPart): void {
    this.bytes = reference(digest);
    this.digest = digest;
    this.size = size;
    this.isIndex = isIndex;
    this.isShared = isShared;
  }

  setItem({ piece, index, name, isIndex }: StoredItem): void {
    this.piece = piece;
    this.index = index;
    this.name = name;
    this.isIndex = isIndex;
  }
}
