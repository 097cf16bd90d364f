import { Layouts, ListSnapshot, Snapshot } from "@threadkeep/serde/parts";
import { SharedObjects } from "./shared-objects.ts";
import { type Surroundings, ThreadElements } from "./thread-elements.ts";

/** A thread as it was seen: once its generation has grown, parts may be gone. */
export interface ThreadState {
  readonly thread: number;
  readonly generation: number;
}

/** What the elements of all threads may take in storage together; in memory it is some times as much. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_THREADS = 64;

/**
 * The live elements whose bytes lie in storage already, by thread: a bounded number of the threads
 * that were used last.
 */
export class KnownElements implements Surroundings {
  readonly shared: SharedObjects = new SharedObjects();
  readonly #layouts = new Layouts();
  readonly #isShared = (object: object): boolean => this.shared.has(object);
  /** In order of their last use. */
  readonly #threads = new Map<string, ThreadElements>();
  #latest: ThreadElements | undefined;
  #batches = 0;

  /** A number for elements that are learned together and have no objects in common. */
  newBatch(): number {
    return ++this.#batches;
  }

  snapshot(element: object, isOwn: boolean): Snapshot | undefined {
    return Snapshot.of(element, { isOwn, isApart: this.#isShared, layouts: this.#layouts });
  }

  listSnapshot(elements: readonly object[]): ListSnapshot | undefined {
    return ListSnapshot.of(elements, {
      isOwn: true,
      isApart: this.#isShared,
      layouts: this.#layouts,
    });
  }

  /** Those of one thread and namespace. */
  of(thread: number, ns: string): ThreadElements {
    const key = `${thread} ${ns}`;
    let elements = this.#threads.get(key);
    if (elements !== undefined && elements === this.#latest) return elements;
    if (elements === undefined) elements = new ThreadElements(this);
    else this.#threads.delete(key);
    this.#threads.set(key, elements);
    this.#latest = elements;
    this.#evict();
    return elements;
  }

  #evict(): void {
    let bytes = 0;
    for (const elements of this.#threads.values()) bytes += elements.bytes;
    for (const [key, elements] of this.#threads) {
      const isMuch = this.#threads.size > MAX_THREADS || bytes > MAX_BYTES;
      if (!isMuch || elements === this.#latest) return;
      this.#threads.delete(key);
      bytes -= elements.bytes;
    }
  }
}
