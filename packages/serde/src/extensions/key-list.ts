/** A key as MessagePack. */
export interface EncodedKey {
  readonly bytes: Uint8Array;
  /** The same bytes four at a time, the last ones filled up: cheaper to copy than one at a time. */
  readonly words: Int32Array;
}

/** The keys of records of one shape, which a MessagePack map can hold. */
export interface KeyList {
  readonly keys: readonly string[];
  readonly encoded: readonly EncodedKey[];
}
