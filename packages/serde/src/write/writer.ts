import { types } from "node:util";
import { bigIntBody, isNativeBigInt } from "../extensions/bigint.ts";
import { hasExtraKeys } from "../extensions/extra-keys.ts";
import type { PathStep } from "../path.ts";
import { Ext, Special } from "../wire.ts";
import type { KeyLists } from "./key-lists.ts";
import { isPlain } from "./is-plain.ts";
import { Numbers, referenceBody } from "./numbers.ts";
import { refusal } from "../kinds/refusal.ts";
import type { Cutter } from "./cutter.ts";
import type { WriterParts } from "./writer-parts.ts";
import { ProblemWriter } from "./problem-writer.ts";
import type { ValueWriter } from "../extensions/value-writer.ts";
import type { BlockWriter, DocumentBlocks } from "./block-list.ts";
import type { EncodedKey, KeyList } from "../extensions/key-list.ts";

type Fields = Record<string, unknown>;

/** The fields of a record that are written. */
interface Kept {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
}

const OBJECT = Object.prototype;
const ARRAY = Array.prototype;

/**
 * Writes one value to a sink, in a single walk.
 *
 * Each object is visited once, in document order, and keeps its number; meeting it again writes a
 * reference to that number. So a getter runs at most once, cycles end, and what is shared stays
 * shared. Problems are collected with their paths; the walk goes on with nil in their place.
 */
export class Writer extends ProblemWriter implements ValueWriter {
  readonly #keyLists: KeyLists;
  readonly #omits: WriterParts["omits"];
  readonly #omitted: WriterParts["omitted"];
  /** Whether any object may have to be left out. */
  readonly #asks: boolean;
  /** One for all places: made for each object it would cost more than what is asked with it. */
  readonly #place = (): readonly PathStep[] => this.place();
  readonly #cutter: Cutter | undefined;
  readonly #blocks: DocumentBlocks | undefined;
  readonly #numbers = new Numbers();
  /** Objects whose class has its own `load` and whose data is being written. */
  readonly #opaque = new Set<object>();

  /** How many references were written: with any, the document has to become a GRAPH. */
  references = 0;
  /** Whether a document was put in the place of an object. */
  isCut = false;

  constructor(parts: WriterParts) {
    super(parts.sink, parts.limits, parts.at, parts.table, parts.losses);
    this.#keyLists = parts.keyLists;
    this.#omits = parts.omits;
    this.#omitted = parts.omitted;
    this.#asks = parts.omits !== undefined || parts.losses.isLenient;
    this.#cutter = parts.cutter;
    this.#blocks = parts.blocks;
  }

  // One comparison at a time: the engine answers these without making the text that typeof gives.
  value(value: unknown): void {
    if (typeof value === "string") this.text(value);
    else if (typeof value === "number") this.sink.number(value);
    else if (value === null) this.sink.nil();
    else if (typeof value === "object") this.#object(value);
    else if (typeof value === "boolean") this.sink.boolean(value);
    else if (value === undefined) this.special(Special.UNDEFINED);
    else if (typeof value === "bigint") this.#bigint(value);
    else if (this.#leavesOut(value)) this.special(Special.UNTRACKED);
    else this.refuse(value);
  }

  child(step: PathStep, value: unknown): void {
    this.steps[this.level] = step;
    this.value(value);
  }

  fields(object: object, { keys, encoded }: KeyList): void {
    this.map(keys.length);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      this.sink.key(encoded[i] as EncodedKey);
      this.steps[this.level] = key;
      this.value((object as Fields)[key]);
    }
  }

  record(value: Fields): void {
    if (this.#losesSymbols(value)) return this.sink.nil();
    if (this.#asks) return this.#keptRecord(value);
    const list = this.#keyLists.find(Object.keys(value));
    if (list === undefined) return this.#entries(0, this.#kept(value));
    this.down();
    this.fields(value, list);
    this.level--;
  }

  #keptRecord(value: Fields): void {
    const kept = this.#kept(value);
    const list = this.#keyLists.find(kept.keys);
    if (list === undefined) return this.#entries(0, kept);
    this.down();
    this.map(kept.keys.length);
    for (let i = 0; i < kept.keys.length; i++) {
      this.sink.key(list.encoded[i] as EncodedKey);
      this.#keptField(kept.keys[i] as string, kept.values[i]);
    }
    this.level--;
  }

  nullRecord(value: Fields): void {
    if (this.#losesSymbols(value)) return this.sink.nil();
    const message = "a built-in object without its prototype; store a real one";
    if (!isPlain(value) && this.loses(message, "Object")) return this.sink.nil();
    this.#entries(1, this.#kept(value));
  }

  list(value: readonly unknown[]): void {
    const { length } = value;
    let holes = 0;
    this.down();
    this.array(length);
    if (this.#blocks?.takes(value) === true) {
      holes = this.#blocks.write(value, this.#blockWriter());
    } else {
      for (let i = 0; i < length; i++) {
        const item = value[i];
        if (item === undefined && !Object.hasOwn(value, i)) {
          holes++;
          this.special(Special.HOLE);
        } else {
          this.steps[this.level] = i;
          this.value(item);
        }
      }
    }
    this.level--;
    if (hasExtraKeys(value, holes))
      this.loses("an array with extra keys; move them into an object beside it", "Array");
  }

  #blockWriter(): BlockWriter {
    return {
      item: (value, index) => this.child(index, value),
      hole: () => this.special(Special.HOLE),
      take: ({ numbered, batch, bytes, items, depth, js }) => {
        if (this.level + depth > this.limits.maxDepth) return false;
        if (!this.#numbers.addBlock(numbered, batch)) return false;
        if (js) this.js = true;
        this.raw(bytes, items);
        return true;
      },
      written: (write) => {
        const { references, js } = this;
        const { size: start } = this.sink;
        const places = this.closedAt.length + this.mapsAt.length;
        const number = this.#numbers.next;
        this.js = false;
        const measure = this.measured(write);
        const block = { ...measure, js: this.js };
        this.js ||= js;
        const numbered = this.#numbers.from(number);
        if (this.references > references || this.closedAt.length + this.mapsAt.length > places)
          return undefined;
        return { ...block, numbered, bytes: this.sink.view().slice(start) };
      },
    };
  }

  leavesOut(step: PathStep, value: unknown): boolean {
    if (this.#omits === undefined || value === null) return false;
    if (typeof value !== "object" && typeof value !== "function") return false;
    this.down();
    this.steps[this.level] = step;
    const isOut = this.#omit(value);
    this.level--;
    return isOut;
  }

  keyList(keys: readonly string[]): KeyList | undefined {
    return this.#keyLists.find(keys);
  }

  enter(object: object): boolean {
    return this.#cutter?.enter(object) !== false && this.#numbers.add(object);
  }

  skipNumber(): void {
    this.#numbers.skip();
  }

  opaque(object: object, body: () => void): void {
    this.#opaque.add(object);
    body();
    this.#opaque.delete(object);
  }

  forged(value: object): void {
    const { className = "Object" } = refusal(value);
    if (this.losses.accept("flattened", className, this.path()))
      return this.record(value as Fields);
    const message = `an object that has only the prototype of ${className}; store a real one`;
    this.problem("unsupported_type", message, className);
  }

  #bigint(value: bigint): void {
    if (isNativeBigInt(value)) this.sink.int64(value);
    else this.extension(Ext.BIGINT, bigIntBody(value));
  }

  #object(value: object): void {
    if (this.#asks && this.#leavesOut(value)) return this.special(Special.UNTRACKED);
    this.#keptObject(value);
  }

  /** An object that is not left out. */
  #keptObject(value: object): void {
    if (this.#cutter !== undefined && this.#embeds(value, this.#cutter)) return;
    if (!this.#numbers.add(value)) return this.#reference(value);
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (types.isProxy(value)) return this.#unknown(value, prototype);
    if (prototype === OBJECT) return this.record(value as Fields);
    if (prototype === ARRAY && Array.isArray(value)) return this.list(value as unknown[]);
    const dump = this.table.find(value, prototype);
    if (dump === undefined) this.#unknown(value, prototype);
    else dump(value, this);
  }

  /** Whether a document was put in the place of an object. */
  #embeds(value: object, cutter: Cutter): boolean {
    const document = cutter.embed(value, this.#place);
    if (document === undefined) return false;
    this.isCut = true;
    this.js = true;
    // Whoever reads it numbers what it stands for.
    this.#numbers.skip();
    this.sink.raw(document);
    return true;
  }

  /** An object that no dump is for. */
  #unknown(value: object, prototype: object | null): void {
    const { code, className = "Object" } = refusal(value);
    if (!this.losses.isLenient) return this.refuse(value);
    if (code === "unsupported_type") {
      this.losses.accept("dropped", className, this.path());
      return this.special(Special.UNTRACKED);
    }
    this.losses.accept("flattened", className, this.path());
    const base = prototype === null ? undefined : this.table.findBase(value, prototype);
    if (base === undefined) this.record(value as Fields);
    else base(value, this);
  }

  /** A record in the form that holds any prototype and any key. */
  #entries(prototype: 0 | 1, { keys, values }: Kept): void {
    this.begin(Ext.RECORD);
    this.array(1 + keys.length * 2);
    this.sink.uint8(prototype);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      this.text(key);
      this.#keptField(key, values[i]);
    }
    this.end();
  }

  /** The fields without those that are left out. Each is read once: it may be a getter. */
  #kept(value: Fields): Kept {
    const keys = Object.keys(value);
    const values: unknown[] = [];
    let kept: string[] | undefined;
    this.down();
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      this.steps[this.level] = key;
      const field = value[key];
      if (this.#asks && this.#leavesOut(field)) {
        kept ??= keys.slice(0, i);
      } else {
        kept?.push(key);
        values.push(field);
      }
    }
    this.level--;
    return { keys: kept ?? keys, values };
  }

  #keptField(key: string, value: unknown): void {
    this.steps[this.level] = key;
    if (typeof value === "object" && value !== null) this.#keptObject(value);
    else this.value(value);
  }

  /** Whether a value stays away; what is left out is told of. */
  #leavesOut(value: unknown): boolean {
    if ((typeof value !== "object" || value === null) && typeof value !== "function")
      return typeof value === "symbol" && this.losses.accept("dropped", "Symbol", this.path());
    if (this.#omit(value)) return true;
    if (!this.losses.isLenient) return false;
    if (typeof value === "object" && this.#isKnown(value)) return false;
    const { code, className = "Object" } = refusal(value);
    return code === "unsupported_type" && this.losses.accept("dropped", className, this.path());
  }

  #omit(value: object): boolean {
    if (this.#omits?.(value) !== true) return false;
    this.#omitted?.(this.path());
    return true;
  }

  #isKnown(value: object): boolean {
    if (types.isProxy(value)) return false;
    const prototype = Object.getPrototypeOf(value) as object | null;
    return (
      prototype === OBJECT || prototype === ARRAY || this.table.find(value, prototype) !== undefined
    );
  }

  #losesSymbols(value: object): boolean {
    return (
      Object.getOwnPropertySymbols(value).length > 0 &&
      this.loses("an object with symbol keys; use string keys or a Map", "Object")
    );
  }

  #reference(value: object): void {
    if (this.#opaque.has(value)) {
      const { className } = refusal(value);
      return this.problem(
        "circular_type",
        "a cycle through an object whose class has its own load; break the cycle in its dump",
        className,
      );
    }
    this.references++;
    this.#cutter?.refer(value);
    this.extension(Ext.REF, referenceBody(this.#numbers.of(value)));
  }
}
