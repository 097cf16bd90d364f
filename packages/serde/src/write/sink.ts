/**
 * Where the writer puts MessagePack: one call per token, in document order.
 *
 * A container announces its size and its items follow; an extension's body stands between
 * `begin` and `end` and may hold anything, more extensions too.
 */
import type { EncodedKey } from "../extensions/key-list.ts";
export interface Sink {
  /** Begin a document of at most so many bytes; drops what was written before. */
  start(maxBytes: number): void;
  nil(): void;
  boolean(value: boolean): void;
  /** The shortest integer form, or float64; that keeps -0 too. */
  number(value: number): void;
  float(value: number): void;
  /** 0–255 in the two-byte form, also where one byte would do. */
  uint8(value: number): void;
  /** The nine-byte form, also where a shorter one would do. */
  int64(value: bigint): void;
  /** False when the text is ill-formed, which UTF-8 can't hold; nothing is written then. */
  text(value: string): boolean;
  /** A text that was encoded before. */
  key(key: EncodedKey): void;
  binary(value: Uint8Array): void;
  array(size: number): void;
  map(size: number): void;
  begin(code: number): void;
  /** By how many bytes the body moved when its header became known. */
  end(): number;
  /** A whole extension. */
  extension(code: number, body: Uint8Array): void;
  /** Bytes of whole tokens. */
  raw(bytes: Uint8Array): void;
  /** Bytes written so far. */
  readonly size: number;
  /** What was written; it may change with the next document. */
  view(): Uint8Array;
  /** Give up memory that a large document took. */
  release(): void;
}

/** Thrown by a sink when the document outgrows its bound. */
export class SinkFull extends Error {}
