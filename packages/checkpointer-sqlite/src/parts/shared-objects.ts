import { randomBytes } from "node:crypto";
import { IDENTITY_BYTES } from "./part.ts";

/**
 * Objects that stand in several documents of a value, and the identity under which each is stored
 * apart: what is one object is one again when it is read, and others that are equal are not it.
 *
 * The identity goes with the object for as long as it lives, and with what is read from its part. Where
 * both stand in one value they are two objects: the one that was there before gets another identity.
 */
export class SharedObjects {
  readonly #identities = new WeakMap<object, Uint8Array>();
  /** For objects that were met before: when they were given their identity. */
  readonly #since = new WeakMap<object, number>();
  #now = 0;

  /** Grows with every identity that an object gets which may lie in documents without it. */
  get now(): number {
    return this.#now;
  }

  has(object: object): boolean {
    return this.#identities.has(object);
  }

  identity(object: object): Uint8Array | undefined {
    return this.#identities.get(object);
  }

  /** Give an object a new identity: one of its own, whatever it had before. */
  add(object: object): void {
    this.#identities.set(object, randomBytes(IDENTITY_BYTES));
    this.#since.set(object, ++this.#now);
  }

  /** Whether an object has its identity from storage. */
  isRead(object: object): boolean {
    return this.has(object) && !this.#since.has(object);
  }

  /** Whether what was written of these objects at that time says which of them are shared now. */
  holdsSince(time: number, objects: readonly object[]): boolean {
    return time === this.#now || objects.every((object) => (this.#since.get(object) ?? 0) <= time);
  }

  /** An object was read that has an identity. */
  learn(object: object, identity: Uint8Array): void {
    this.#identities.set(object, identity);
  }
}
