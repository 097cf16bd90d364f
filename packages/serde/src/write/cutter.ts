import type { PathStep } from "../path.ts";

/** Cuts a value into several documents while it is written: for a saver that keeps parts apart. */
export interface Cutter {
  /**
   * Asked for each object wherever it is met, the whole value first: a document to put in its place,
   * if it gives one. `at` tells where. In a document with references it must be a stored part.
   */
  embed(value: object, at: () => readonly PathStep[]): Uint8Array | undefined;
  /**
   * Told of each object that would belong to the document without being written: an empty container
   * that every message has. False for one that has to be written all the same.
   */
  enter(object: object): boolean;
  /** Told of each object that was written before, where a reference to it is. */
  refer(object: object): void;
}
