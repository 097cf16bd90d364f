import type { Omit } from "@threadkeep/serde";
import type { ListSnapshot, Snapshot } from "@threadkeep/serde/parts";
import { Known, type Piece, type StoredItem, type StoredPart } from "./known.ts";
import { KnownPiece } from "./known-piece.ts";
import type { LearnedBatch } from "./part-collector.ts";
import type { SharedObjects } from "./shared-objects.ts";

/** How an element is learned. */
export interface Lesson {
  readonly generation: number;
  readonly batch: number;
  /** When it was written or read, as {@link SharedObjects} count time. */
  readonly sharedAt: number;
  /** It was written: what was known of it before counts no more. */
  readonly isNew: boolean;
  /** It was just read, and is nobody else's yet. */
  readonly isOwn: boolean;
}

/** Rounds of elements that are kept: a run goes on from one load while others look at the thread. */
const ROUNDS = 3;
/** A round that grows beyond this and twice of what it began with ends. */
const ROUND_ELEMENTS = 2048;

/** What the threads of a saver have in common. */
export interface Surroundings {
  readonly shared: SharedObjects;
  /** A number for elements that are learned together and have no objects in common. */
  newBatch(): number;
  /** An element as it is now; undefined when it is of no plain kind. */
  snapshot(element: object, isOwn: boolean): Snapshot | undefined;
  /** The same of some that were just read. */
  listSnapshot(elements: readonly object[]): ListSnapshot | undefined;
}

/** An object and what it is known for hold each other; a WeakMap of many is slow to collect. */
interface Round {
  readonly elements: Map<object, Known | KnownPiece>;
  bytes: number;
}

/**
 * The elements of one thread and namespace that were stored or loaded last. Those that nobody asks
 * for go with the round in which they were learned.
 */
export class ThreadElements {
  #rounds: Round[] = [{ elements: new Map(), bytes: 0 }];
  #limit = ROUND_ELEMENTS;
  readonly #all: Surroundings;

  constructor(all: Surroundings) {
    this.#all = all;
  }

  get shared(): SharedObjects {
    return this.#all.shared;
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#rounds) sum += bytes;
    return sum;
  }

  newBatch(): number {
    return this.#all.newBatch();
  }

  /** What is known of an element that is as it was when it was stored. */
  find(element: object, generation: number, omit: Omit | undefined): Known | undefined {
    const known = this.#get(element);
    return known !== undefined && this.#holds(known, generation, omit) ? known : undefined;
  }

  /** The piece that begins with an element, where each element of it is as it was when it was read. */
  findPiece(first: object, generation: number, omit: Omit | undefined): KnownPiece | undefined {
    const piece = this.#entry(first);
    if (!(piece instanceof KnownPiece) || piece.items[0] !== first) return undefined;
    return this.#holds(piece, generation, omit) ? piece : undefined;
  }

  /** The elements of a piece, known one by one from now on. */
  split(piece: KnownPiece): readonly Known[] {
    const known = piece.split();
    const { elements } = this.#round;
    for (const each of known) elements.set(each.element, each);
    return known;
  }

  /** Remember where elements lie once what they were written for is stored. */
  learnAll(batches: readonly LearnedBatch[], generation: number): void {
    for (const { learned, unchanged, sharedAt } of batches) {
      const batch = this.newBatch();
      for (const { element, part, item, size, isNew } of learned)
        this.learn(element, part, item, size, {
          generation,
          batch,
          sharedAt,
          isNew,
          isOwn: false,
        });
      // So a thread that is never loaded has one large batch too, and not many small ones.
      for (const known of unchanged) known.batch = batch;
    }
  }

  /** Remember where an element lies; `size` are the bytes that it takes there. */
  learn(
    element: object,
    part: StoredPart | undefined,
    item: StoredItem | undefined,
    size: number,
    { generation, batch, sharedAt, isNew, isOwn }: Lesson,
  ): void {
    let known = isNew ? undefined : this.#get(element);
    if (known === undefined || known.generation !== generation) {
      const snapshot = this.#all.snapshot(element, isOwn);
      if (snapshot === undefined || !this.shared.holdsSince(sharedAt, snapshot.objects))
        return this.#forget(element);
      // What holds other elements has their objects too.
      const holdsOthers = (part ?? item)?.isIndex === true;
      const ownBatch = holdsOthers ? this.newBatch() : batch;
      known = new Known({ element, snapshot, generation, batch: ownBatch, sharedAt, weight: size });
      this.#add(known);
    }
    if (part !== undefined) known.setPart(part);
    if (item !== undefined) known.setItem(item);
  }

  /** Remember the elements of a piece that was just read. False for some that can't be known together. */
  learnPiece(
    items: readonly unknown[],
    piece: Piece,
    size: number,
    { generation, batch, sharedAt }: Lesson,
  ): boolean {
    if (!items.every(isObject)) return false;
    const snapshot = this.#all.listSnapshot(items);
    if (snapshot === undefined || !this.shared.holdsSince(sharedAt, snapshot.objects)) return false;
    const weight = size / items.length;
    this.#add(
      new KnownPiece({
        piece,
        items: items.slice(),
        snapshot,
        generation,
        sharedAt,
        weight,
        batch,
      }),
    );
    return true;
  }

  /** Begin a round: what was learned before stays for some more. */
  turn(): void {
    if (this.#round.elements.size === 0) return;
    this.#rounds = [{ elements: new Map(), bytes: 0 }, ...this.#rounds.slice(0, ROUNDS - 1)];
    this.#limit = ROUND_ELEMENTS;
  }

  get #round(): Round {
    return this.#rounds[0] as Round;
  }

  #get(element: object): Known | undefined {
    const entry = this.#entry(element);
    if (!(entry instanceof KnownPiece)) return entry;
    this.split(entry);
    return this.#round.elements.get(element) as Known;
  }

  /** Whether what is known of elements is still so. */
  #holds(known: Known | KnownPiece, generation: number, omit: Omit | undefined): boolean {
    if (known.generation !== generation || !known.snapshot.holds()) return false;
    // What has become an object of many since stands in its documents as if it were alone there.
    if (!this.shared.holdsSince(known.sharedAt, known.objects)) return false;
    known.sharedAt = this.shared.now;
    if (omit === undefined) return true;
    if (omit.clears === undefined) return !known.objects.some((object) => omit(object));
    known.cleared = omit.clears(known.objects, known.cleared);
    return known.cleared !== undefined;
  }

  #entry(element: object): Known | KnownPiece | undefined {
    const known = this.#round.elements.get(element);
    if (known !== undefined) return known;
    for (let i = 1; i < this.#rounds.length; i++) {
      const older = this.#rounds[i]?.elements.get(element);
      if (older === undefined) continue;
      // It is still in use.
      this.#add(older);
      return older;
    }
    return undefined;
  }

  #add(known: Known | KnownPiece): void {
    const round = this.#round;
    if (round.elements.size >= this.#limit) {
      const { size: before } = round.elements;
      this.turn();
      this.#limit = Math.max(ROUND_ELEMENTS, 2 * before);
      return this.#add(known);
    }
    const elements = known instanceof KnownPiece ? known.items : [known.element];
    for (const element of elements) round.elements.set(element, known);
    round.bytes += known.weight * elements.length;
  }

  #forget(element: object): void {
    for (const { elements } of this.#rounds) elements.delete(element);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
