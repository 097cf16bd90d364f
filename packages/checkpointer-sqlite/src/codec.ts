import * as crypto from "node:crypto";

/** What a sealed blob is bound to, so that it can't pass for another. */
export interface SealContext {
  readonly threadId: string;
  /** The digest under which it is stored. */
  readonly digest: Uint8Array;
}

/**
 * How stored bytes are sealed. Every blob in the file goes through it; ids, channel names, versions
 * and times stay readable.
 *
 * `digest` names the parts of a state. A keyed one (an HMAC, say) keeps the file from telling whether
 * it holds a text that somebody guesses. All savers of a file need the same codec.
 *
 * @example
 * ```ts
 * const codec: StorageCodec = {
 *   seal: (bytes, { threadId, digest }) => encrypt(bytes, [threadId, digest]),
 *   open: (bytes, { threadId, digest }) => decrypt(bytes, [threadId, digest]),
 *   digest: (bytes) => createHmac("sha256", key).update(bytes).digest(),
 * };
 * ```
 */
export interface StorageCodec {
  seal(bytes: Uint8Array, context: SealContext): Uint8Array;
  /** Throws when the bytes are not what `seal` gave in this context. */
  open(bytes: Uint8Array, context: SealContext): Uint8Array;
  /** At least 16 bytes, of which the first 16 are used. Equal bytes must give equal digests. */
  digest(bytes: Uint8Array): Uint8Array;
}

/** Bytes as they are, named by SHA-256. */
export const PLAIN: StorageCodec = {
  seal: (bytes) => bytes,
  open: (bytes) => bytes,
  digest: sha256,
};

/** One call is twice as fast as a hash object, where Node has it. */
function sha256(bytes: Uint8Array): Uint8Array {
  if (typeof crypto.hash === "function")
    return Buffer.from(crypto.hash("sha256", bytes, "binary"), "latin1");
  return crypto.createHash("sha256").update(bytes).digest();
}
