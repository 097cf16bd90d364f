import { findShared } from "./find-shared.ts";
import type { Known } from "./known.ts";
import type { KnownPiece } from "./known-piece.ts";
import type { SharedObjects } from "./shared-objects.ts";
import { digestKey } from "./tokens.ts";

/** What one walk through a value has met, and which objects turn out to stand in several documents. */
export class MetObjects {
  /** Whether objects turned out to be shared that this walk did not know of. */
  hasConflict = false;
  readonly #shared: SharedObjects;
  /** Elements that the next walk writes whatever is known of them. */
  readonly #rewritten: Set<object>;
  /** The document, by number, in which each object stands. */
  readonly #documents = new Map<object, number>();
  #count = 0;
  /** Elements that are not written again. */
  readonly #unchanged = new Map<object, Known>();
  /** The same of whole pieces. */
  readonly #pieces = new Set<KnownPiece>();
  /** Objects that stand in Sends. */
  readonly #inSends = new Set<object>();
  /** Which object has an identity: what was read has that of the object it was written from. */
  readonly #owners = new Map<string, object>();

  constructor(shared: SharedObjects, rewritten: Set<object>) {
    this.#shared = shared;
    this.#rewritten = rewritten;
  }

  get unchanged(): (Known | KnownPiece)[] {
    return [...this.#pieces, ...this.#unchanged.values()];
  }

  /** Objects that stand in the documents as if they were alone there. */
  *#objects(): Iterable<object> {
    yield* this.#documents.keys();
    for (const { objects, ownCount } of this.unchanged)
      for (let i = 0; i < ownCount; i++) yield objects[i] as object;
    yield* this.#inSends;
  }

  has(object: object): boolean {
    return this.#documents.has(object);
  }

  /** Begin the document of an object; gives its number. */
  begin(object: object): number {
    const document = this.#count++;
    this.meet(object, document);
    return document;
  }

  /** An object stands in a document. */
  meet(object: object, document: number): void {
    const met = this.#documents.get(object);
    if (met === undefined) this.#documents.set(object, document);
    else if (met !== document) this.share(object);
  }

  /** An element is as it was stored. */
  keep(element: object, known: Known): void {
    const isInPiece = known.from !== undefined && this.#pieces.has(known.from as KnownPiece);
    if (isInPiece || this.#unchanged.has(element)) this.share(element);
    this.#unchanged.set(element, known);
  }

  /** The same of one that is stored apart, which may stand in many places. */
  keepApart(element: object, known: Known): void {
    this.#unchanged.set(element, known);
  }

  /** All elements of a piece are as they were stored. */
  keepPiece(piece: KnownPiece): void {
    this.#pieces.add(piece);
  }

  keepsPiece(piece: KnownPiece): boolean {
    return this.#pieces.has(piece);
  }

  /** An element is written after all. */
  rewrite(element: object): void {
    this.#unchanged.delete(element);
  }

  /** A Send, which is a value of its own, with what its own walk met. */
  addSend(send: object, inside: MetObjects): void {
    this.begin(send);
    for (const object of inside.#objects()) if (object !== send) this.#inSends.add(object);
    for (const object of inside.#owners.values()) this.claim(object);
  }

  share(object: object): void {
    if (!this.#shared.has(object)) this.#shared.add(object);
    this.hasConflict = true;
  }

  /** No two objects of a value may have one identity: they would be one when they are read. */
  claim(object: object): void {
    const shared = this.#shared;
    const key = digestKey(shared.identity(object) as Uint8Array);
    const owner = this.#owners.get(key);
    if (owner === undefined) this.#owners.set(key, object);
    else if (owner !== object) {
      // What was read keeps the one it has in storage, where many may refer to it.
      const isOther = shared.isRead(object) && !shared.isRead(owner);
      if (isOther) this.#owners.set(key, object);
      shared.add(isOther ? owner : object);
      this.hasConflict = true;
    }
  }

  /** What was not written may share objects too. */
  checkUnchanged(): void {
    const unchanged = this.unchanged;
    findShared(unchanged, this.#documents, (object, element) => {
      this.#rewritten.add(element);
      this.share(object);
    });
    this.#checkBehind(unchanged);
    this.#checkSends(unchanged);
  }

  /** What stands in objects that are stored apart from elements which were not written. */
  #checkBehind(unchanged: readonly (Known | KnownPiece)[]): void {
    const behind = new Set<object>();
    for (const { objects, ownCount } of unchanged) {
      for (let i = ownCount; i < objects.length; i++) {
        const object = objects[i] as object;
        if (this.#shared.has(object)) this.claim(object);
        else if (this.#documents.has(object)) this.share(object);
        else behind.add(object);
      }
    }
    if (behind.size === 0) return;
    for (const known of unchanged) {
      // One that is shared is what they stand in.
      if ("isShared" in known && known.isShared) continue;
      for (let i = 0; i < known.ownCount; i++) {
        const object = known.objects[i] as object;
        if (behind.has(object)) this.share(object);
      }
    }
  }

  /** What stands in Sends and beside them. */
  #checkSends(unchanged: readonly (Known | KnownPiece)[]): void {
    if (this.#inSends.size === 0) return;
    for (const object of this.#inSends) if (this.#documents.has(object)) this.share(object);
    for (const { objects, ownCount } of unchanged)
      for (let i = 0; i < ownCount; i++) {
        const object = objects[i] as object;
        if (this.#inSends.has(object)) this.share(object);
      }
  }
}
