import type { SerdeErrorCode } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { PathStep } from "../path.ts";
import type { Special } from "../wire.ts";
import type { EncodedKey, KeyList } from "./key-list.ts";

/**
 * What a dump writes its object through: the counterpart of `ValueReader`, token by token in the
 * same order.
 */
export interface ValueWriter {
  readonly limits: Limits;

  /** Begin an extension around one document. */
  begin(code: number): void;
  end(): void;
  /** A whole extension that holds raw bytes. */
  extension(code: number, body: Uint8Array): void;
  /** A whole extension as it was read before, with what its reading counted against the limits. */
  closed(
    code: number,
    body: Uint8Array,
    measure: { readonly items: number; readonly depth: number },
  ): void;
  /** Begin a map whose keys are values; keys and values come next, in turn. */
  beginMap(size: number): void;
  endMap(): void;

  /** The header of an array; its items come next. */
  array(size: number): void;
  /** The header of a map with text keys; its keys and values come next, in turn. */
  map(size: number): void;
  nil(): void;
  text(value: string): void;
  key(key: EncodedKey): void;
  integer(value: number): void;
  float(value: number): void;
  binary(value: Uint8Array): void;
  special(kind: (typeof Special)[keyof typeof Special]): void;
  /** Bytes of tokens, among them headers that announce so many items. */
  raw(bytes: Uint8Array, items?: number): void;
  /** `[module, name, …]`: the head of a typed extension with `size` elements. */
  typeHead(size: number, module: string, name: string): void;

  value(value: unknown): void;
  /** The value that stands at a step below this object. */
  child(step: PathStep, value: unknown): void;
  /** A map of the fields with these keys. */
  fields(object: object, list: KeyList): void;
  /** A record whose prototype is that of plain objects, of this realm or another. */
  record(value: Record<string, unknown>): void;
  /** A record without a prototype. */
  nullRecord(value: Record<string, unknown>): void;
  /** An array, of this realm or another. */
  list(value: readonly unknown[]): void;

  /** Whether the value at a step below must stay away, so that its entry is left out altogether. */
  leavesOut(step: PathStep, value: unknown): boolean;
  /** The form in which a map of these keys is written; undefined when no map can hold them. */
  keyList(keys: readonly string[]): KeyList | undefined;
  /**
   * Number an object that belongs to the one that is written without being written itself; false when
   * it has a number already, or has to be written.
   */
  enter(object: object): boolean;
  /** Leave a number out. */
  skipNumber(): void;

  /** While `body` runs, a reference back to `object` is an error: its class builds it from finished fields. */
  opaque(object: object, body: () => void): void;
  /** Note a problem here and write nil in its place. */
  problem(code: SerdeErrorCode, message: string, className?: string, cause?: unknown): void;
  /** The same of what stands at a step below this object. */
  problemAt(step: PathStep, code: SerdeErrorCode, message: string): void;
  /** Note that `value` can't be stored, and why; write nil in its place. */
  refuse(value: unknown): void;
  /** Note that an object has the prototype of a built-in class and is none. */
  forged(value: object): void;
  /**
   * Something of the object can't be kept. True in strict mode, where that is a problem; in lenient
   * mode it is told of, and the rest is to be written.
   */
  loses(message: string, className: string): boolean;
  /** Whether an object is lost for fields besides what its class keeps inside; nil is written then. */
  hasExtras(value: object, className: string): boolean;
  path(): string;
}
