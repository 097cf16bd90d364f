/**
 * Where the writer puts MessagePack: one call per token, in document order.
 *
 * A container announces its size and its items follow; an extension's body stands between
 * `begin` and `end` and may hold anything, more extensions too.
 */
export interface Sink {
  nil(): void;
  boolean(value: boolean): void;
  /** The shortest integer form, or float64. */
  number(value: number): void;
  float(value: number): void;
  /** 0–255 in the two-byte form, also where one byte would do. */
  uint8(value: number): void;
  /** The nine-byte form, also where a shorter one would do. */
  int64(value: bigint): void;
  /** `value` must be well-formed. */
  text(value: string): void;
  binary(value: Uint8Array): void;
  array(size: number): void;
  map(size: number): void;
  begin(code: number): void;
  end(): void;
  /** A whole extension. */
  extension(code: number, body: Uint8Array): void;
  /** Bytes written so far. */
  readonly size: number;
  /** A copy of what was written; the sink starts anew. */
  take(): Uint8Array;
  /** Drop what was written. */
  reset(): void;
}
