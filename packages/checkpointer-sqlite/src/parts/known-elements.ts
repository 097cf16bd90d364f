import { Snapshot } from "@threadkeep/serde/parts";
import { SharedObjects } from "./shared-objects.ts";

/** A thread as it was seen: once its generation has grown, parts may be gone. */
export interface ThreadState {
  readonly thread: number;
  readonly generation: number;
}

/** A closed piece of a collection, and how many items it has. */
export interface Piece {
  readonly digest: Uint8Array;
  readonly count: number;
}

/** Where an element lies in storage: a part of its own, an item of a piece, or both. */
export interface Stored {
  readonly digest?: Uint8Array | undefined;
  /** Length of the part's document. */
  readonly size?: number | undefined;
  readonly piece?: Piece | undefined;
  readonly index?: number | undefined;
  /** Its key, where the piece is one of a record or Map. */
  readonly name?: string | undefined;
  /** Whether it holds elements that are stored apart from it. */
  readonly isIndex?: boolean | undefined;
  /** Whether the part has the element's identity. */
  readonly isShared?: boolean | undefined;
}

/** An element that was stored or loaded, as it was then. */
export interface Known extends Stored {
  readonly element: object;
  readonly snapshot: Snapshot;
  readonly state: ThreadState;
  /** Elements of one batch have no objects of their own in common. */
  readonly batch: number;
}

/** How an element is learned. */
export interface Lesson {
  readonly state: ThreadState;
  readonly batch: number;
  /** It was just written, or read: what was known of it before counts no more. */
  readonly isNew: boolean;
  /** It was just read, and is nobody else's yet. */
  readonly isOwn: boolean;
}

/**
 * The live elements whose bytes lie in storage already. An element is known for as long as it lives
 * and has not changed, so nothing has to be evicted.
 */
export class KnownElements {
  readonly shared: SharedObjects = new SharedObjects();
  readonly #known = new WeakMap<object, Known>();
  #batches = 0;

  /** A number for elements that are learned together and have no objects in common. */
  newBatch(): number {
    return ++this.#batches;
  }

  /** What is known of an element that is as it was when it was stored in this thread. */
  find(
    element: object,
    state: ThreadState,
    omit: ((value: object) => boolean) | undefined,
  ): Known | undefined {
    const known = this.#known.get(element);
    if (known === undefined || !isSame(known.state, state)) return undefined;
    const { snapshot } = known;
    if (!snapshot.holds()) return undefined;
    return omit !== undefined && snapshot.objects.some(omit) ? undefined : known;
  }

  /** Remember where an element lies. */
  learn(element: object, stored: Stored, { state, batch, isNew, isOwn }: Lesson): void {
    const before = isNew ? undefined : this.#known.get(element);
    if (before !== undefined && isSame(before.state, state)) {
      this.#known.set(element, { ...before, ...stored });
      return;
    }
    const snapshot = Snapshot.of(element, isOwn, (object) => this.shared.has(object));
    if (snapshot === undefined) {
      this.#known.delete(element);
      return;
    }
    // What holds other elements has their objects too.
    const own = stored.isIndex === true ? this.newBatch() : batch;
    this.#known.set(element, { ...stored, element, snapshot, state, batch: own });
  }
}

function isSame(a: ThreadState, b: ThreadState): boolean {
  return a.thread === b.thread && a.generation === b.generation;
}
