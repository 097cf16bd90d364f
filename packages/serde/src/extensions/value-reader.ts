import type { SerdeError } from "../errors.ts";
import type { Limits } from "../limits.ts";
import type { PathStep } from "../path.ts";
import type { DefinedType, TypeKey } from "../types/definition.ts";
import type { TypeTable } from "../types/type-table.ts";

/** What a blocked type becomes. */
export type OnBlocked = "throw" | "inert";

/** What is allowed while a payload is read, and who hears of it. */
export interface RaiseContext {
  readonly types: TypeTable;
  readonly limits: Limits;
  readonly onBlocked: OnBlocked;
  /** Told of each type that was not allowed. */
  readonly blocked?: (key: TypeKey, path: string) => void;
  /** Told of each type that was read in an older version. */
  readonly migrated?: (type: DefinedType, from: number, path: string) => void;
  /** The value of a part that a saver stores on its own. */
  readonly part?: (digest: Uint8Array) => unknown;
}

/** How much a stretch of the payload counts against the limits. */
export interface Measure {
  readonly items: number;
  readonly depth: number;
}

/** A place in the payload. */
export interface Mark {
  readonly at: number;
  readonly items: number;
}

/** Stands for a missing array element while an array is read. */
export const HOLE: unique symbol = Symbol("hole");

/**
 * What an extension reads its content through: the counterpart of `ValueWriter`, token by token in
 * the same order.
 */
export interface ValueReader {
  readonly context: RaiseContext;
  readonly limits: Limits;

  /** The header of an array, of this size if one is given; its items come next. */
  array(size?: number): number;
  /** The header of a map; its keys and values come next, in turn. */
  map(): number;
  text(): string;
  binary(): Uint8Array<ArrayBuffer>;
  /** Whether nil comes next; steps over it. */
  isNil(): boolean;
  value(): unknown;
  /** The value that stands at a step below this object. */
  child(step: PathStep): unknown;
  /** The same, where a list or record that comes next is this object's own and takes no level. */
  content(step: PathStep): unknown;
  /** Fields with text keys, in order, as values that stand below this object. */
  fields(set: (key: string, value: unknown) => void): void;

  /** An extension of this very type, whose content `read` reads; undefined when something else comes next. */
  typed<T extends object>(code: number, module: string, name: string, read: () => T): T | undefined;

  /** Where the reading stands; to come back to it, as long as no object was numbered since. */
  mark(): Mark;
  rewind(mark: Mark): void;

  /** Number an object; to be called before its contents are read. */
  enter<T extends object>(object: T): T;
  /** Number an object that can be built only from its contents; gives the function that fills it in. */
  enterLater(): <T extends object>(object: T) => T;
  /** Whether objects are numbered here: the document holds references. */
  readonly isGraph: boolean;

  /** A copy of this extension's body; undefined where it stands open, in a document with references. */
  body(): Uint8Array | undefined;
  /** What the reading of `work` counted against the limits. */
  measured<T>(work: () => T): readonly [T, Measure];

  /** Errors from here on are about this object, no longer about the last of its contents. */
  back(): void;
  path(): string;
  malformed(what: string, cause?: unknown): SerdeError;
}
