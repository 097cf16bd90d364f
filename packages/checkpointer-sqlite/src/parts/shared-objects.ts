import { randomBytes } from "node:crypto";
import { IDENTITY_BYTES } from "./part.ts";

/**
 * Objects that stand in several documents of a value, and the identity under which each is stored
 * apart: what is one object is one again when it is read, and others that are equal are not it.
 *
 * The identity goes with the object for as long as it lives, and with what is read from its part. So
 * an object of the process (a tool's metadata in each of its messages, say) is stored once, and what
 * was made from it before and after a restart is one object from then on.
 */
export class SharedObjects {
  readonly #identities = new WeakMap<object, Uint8Array>();

  has(object: object): boolean {
    return this.#identities.has(object);
  }

  identity(object: object): Uint8Array | undefined {
    return this.#identities.get(object);
  }

  /** Give an object a new identity. */
  add(object: object): void {
    this.#identities.set(object, randomBytes(IDENTITY_BYTES));
  }

  /** An object was read that has an identity. */
  learn(object: object, identity: Uint8Array): void {
    this.#identities.set(object, identity);
  }
}
