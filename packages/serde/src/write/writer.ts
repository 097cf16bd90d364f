import type { Problem, SerdeErrorCode } from "../errors.ts";
import { SerdeError } from "../errors.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { formatPath, type PathStep } from "../path.ts";
import { isWellFormed, toCodeUnits } from "../text.ts";
import { Ext, JS_MODULE, Special, Tag } from "../wire.ts";
import type { DumpTable } from "./dump-table.ts";
import { openReferences } from "./open-references.ts";
import { refusal } from "./refusal.ts";
import type { Sink } from "./sink.ts";

/** What the caller of one `dumps` adds to the serializer's own rules. */
export interface WriteHooks {
  /** Objects that must not be stored: left out where they are a property, a blank place in lists. */
  readonly omit?: (value: object) => boolean;
  /** Called once for each place that was left out. */
  readonly onOmit?: (path: string) => void;
  /** Where the value stands in a larger one: the first steps of every path in errors. */
  readonly at?: readonly PathStep[];
}

export interface Written {
  readonly tag: typeof Tag.MSGPACK | typeof Tag.MSGPACK_JS;
  readonly bytes: Uint8Array;
}

const MAX_PROBLEMS = 100;
const OBJECT = Object.prototype;

/**
 * Writes one value to a sink, in a single walk.
 *
 * Each object is visited once, in document order, and keeps its number; meeting it again writes a
 * reference to that number. So a getter runs at most once, cycles end, and what is shared stays
 * shared. Problems are collected with their paths; the walk goes on with nil in their place.
 */
export class Writer {
  readonly sink: Sink;
  readonly #table: DumpTable;
  readonly #limits: Limits;
  readonly #hooks: WriteHooks;
  readonly #seen = new Map<object, number>();
  readonly #steps: PathStep[] = [];
  readonly #problems: Problem[] = [];
  /** Objects whose class has its own `load` and whose fields are being written. */
  readonly #opaque = new Set<object>();
  /** Offsets of extensions that stay closed when references are opened, see `closed`. */
  readonly #closed: number[] = [];
  #depth = 0;
  #items = 0;
  #references = 0;
  #js = false;

  constructor(sink: Sink, table: DumpTable, limits: Limits, hooks: WriteHooks = {}) {
    this.sink = sink;
    this.#table = table;
    this.#limits = limits;
    this.#hooks = hooks;
  }

  /** Write the whole document. */
  write(value: unknown): Written {
    // One byte below 0x80 would pass for JSON text: a top-level small integer takes two.
    if (
      typeof value === "number" &&
      value >= 0 &&
      value < 0x80 &&
      Number.isInteger(value) &&
      !Object.is(value, -0)
    ) {
      this.sink.uint8(value);
    } else {
      this.value(value);
    }
    if (this.#problems.length > 0) throw new SerdeError(this.#problems as [Problem, ...Problem[]]);
    this.#checkSize();
    const plain = this.sink.take();
    const bytes = this.#references === 0 ? plain : openReferences(plain, this.#closed);
    return { tag: this.#js || this.#references > 0 ? Tag.MSGPACK_JS : Tag.MSGPACK, bytes };
  }

  /** Write a value where the walk stands. */
  value(value: unknown): void {
    if (++this.#items > this.#limits.maxItems) {
      throw limitExceeded("maxItems", "The value has too many items", this.#limits, this.path());
    }
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "number":
        return Object.is(value, -0) ? this.special(Special.NEGATIVE_ZERO) : this.sink.number(value);
      case "boolean":
        return this.sink.boolean(value);
      case "undefined":
        return this.special(Special.UNDEFINED);
      case "bigint":
        return this.#bigint(value);
      case "object":
        return value === null ? this.sink.nil() : this.#object(value);
      default:
        if (this.#omits(value)) this.special(Special.UNTRACKED);
        else this.refuse(value);
    }
  }

  /** Write a value one step down. */
  child(step: PathStep, value: unknown): void {
    this.#down(step);
    this.value(value);
    this.#depth--;
  }

  text(value: string): void {
    if (isWellFormed(value)) this.sink.text(value);
    else this.extension(Ext.TEXT, toCodeUnits(value));
  }

  special(kind: (typeof Special)[keyof typeof Special]): void {
    this.extension(Ext.SPECIAL, Uint8Array.of(kind));
  }

  /** Write a leaf extension. */
  extension(code: number, body: Uint8Array): void {
    if (code >= Ext.SPECIAL) this.#js = true;
    this.sink.extension(code, body);
  }

  /** Write an extension around one document, which `body` writes. */
  document(code: number, body: () => void): void {
    if (code >= Ext.SPECIAL) this.#js = true;
    this.sink.begin(code);
    body();
    this.sink.end();
    this.#checkSize();
  }

  /** Write an extension whose body was written before and must stay as it is. */
  closed(code: number, body: Uint8Array): void {
    this.#closed.push(this.sink.size);
    this.extension(code, body);
  }

  /** `[module, name, …]`: the head of a typed extension with `size` elements. */
  typeHead(size: number, module: string, name: string): void {
    // The class exists in JavaScript alone: Python has to raise, not to shrug.
    if (module === JS_MODULE) this.#js = true;
    this.sink.array(size);
    this.sink.text(module);
    this.sink.text(name);
  }

  /** Write the fields of an object as a map; the object itself is not counted as a value. */
  fields(object: object, keys: readonly string[] = Object.keys(object)): void {
    this.sink.map(keys.length);
    for (const key of keys) {
      this.sink.text(key);
      this.child(key, (object as Record<string, unknown>)[key]);
    }
  }

  /** While `body` runs, a reference back to `object` is an error: its class builds it from finished fields. */
  opaque(object: object, body: () => void): void {
    this.#opaque.add(object);
    body();
    this.#opaque.delete(object);
  }

  /** Note a problem here and write nil in its place. */
  problem(code: SerdeErrorCode, message: string, className?: string): void {
    if (this.#problems.length < MAX_PROBLEMS) {
      this.#problems.push({
        code,
        path: this.path(),
        message,
        ...(className === undefined ? {} : { className }),
      });
    }
    this.sink.nil();
  }

  /** Note that `value` can't be stored, and why. */
  refuse(value: unknown): void {
    const { code, message, className } = refusal(value);
    this.problem(code, message, className);
  }

  /** Where the walk stands. */
  path(): string {
    return formatPath([...(this.#hooks.at ?? []), ...this.#steps.slice(0, this.#depth)]);
  }

  get limits(): Limits {
    return this.#limits;
  }

  #object(value: object): void {
    if (this.#omits(value)) return this.special(Special.UNTRACKED);
    const number = this.#seen.get(value);
    if (number !== undefined) return this.#reference(value, number);
    this.#seen.set(value, this.#seen.size);
    if (Array.isArray(value)) return this.#array(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === OBJECT) return this.record(value as Record<string, unknown>);
    const dump = this.#table.find(value, prototype as object | null);
    if (dump === undefined) this.refuse(value);
    else dump(value, this);
  }

  #array(value: readonly unknown[]): void {
    const { length } = value;
    if (length > this.#limits.maxItems) {
      throw limitExceeded("maxItems", `An array has length ${length}`, this.#limits, this.path());
    }
    let holes = 0;
    this.sink.array(length);
    for (let i = 0; i < length; i++) {
      const item = value[i];
      this.#down(i);
      if (item === undefined && !Object.hasOwn(value, i)) {
        holes++;
        this.special(Special.HOLE);
      } else {
        this.value(item);
      }
      this.#depth--;
    }
    if (Object.keys(value).length + holes !== length || hasSymbols(value)) {
      this.problem(
        "unsupported_type",
        "an array with extra keys; move them into an object beside it",
        "Array",
      );
    }
  }

  /** A record whose prototype is that of plain objects, of this realm or another. */
  record(value: Record<string, unknown>): void {
    const keys = this.#keptKeys(value, Object.keys(value));
    if (hasSymbols(value)) {
      return this.problem(
        "unsupported_type",
        "an object with symbol keys; use string keys or a Map",
      );
    }
    if (keys.every(fitsMap)) this.fields(value, keys);
    else this.entries(0, value, keys);
  }

  /** A record in the form that holds any prototype and any key. */
  entries(
    prototype: 0 | 1,
    value: Record<string, unknown>,
    keys: readonly string[] = this.#keptKeys(value, Object.keys(value)),
  ): void {
    this.document(Ext.RECORD, () => {
      this.sink.array(1 + keys.length * 2);
      this.sink.uint8(prototype);
      for (const key of keys) {
        this.text(key);
        this.child(key, value[key]);
      }
    });
  }

  #keptKeys(value: Record<string, unknown>, keys: string[]): string[] {
    if (this.#hooks.omit === undefined) return keys;
    return keys.filter((key) => {
      const descriptor = Object.getOwnPropertyDescriptor(value, key);
      this.#down(key);
      const omitted = this.#omits(descriptor?.value);
      this.#depth--;
      return !omitted;
    });
  }

  #omits(value: unknown): boolean {
    if (this.#hooks.omit === undefined || value === null) return false;
    if (typeof value !== "object" && typeof value !== "function") return false;
    if (!this.#hooks.omit(value)) return false;
    this.#hooks.onOmit?.(this.path());
    return true;
  }

  #reference(value: object, number: number): void {
    if (this.#opaque.has(value)) {
      return this.problem(
        "circular_type",
        "a cycle through an object whose class has its own load; break the cycle in its dump",
        className(value),
      );
    }
    this.#references++;
    this.sink.extension(Ext.REF, referenceBody(number));
  }

  /**
   * BigInts and numbers share MessagePack's integers. Numbers take the shortest form, so a 64-bit
   * form of what fits 32 bits, or anything no number can hold, is a BigInt; what lies between has
   * no form of its own.
   */
  #bigint(value: bigint): void {
    const magnitude = value < 0n ? -value : value;
    const fits64 = value < 0n ? value >= -(1n << 63n) : value < 1n << 64n;
    const short = value >= -(1n << 31n) && value < 1n << 32n;
    if (fits64 && (short || magnitude > BigInt(Number.MAX_SAFE_INTEGER)))
      return this.sink.int64(value);
    const hex = magnitude.toString(16);
    const body = Buffer.from(
      `${value < 0n ? "01" : "00"}${hex.length % 2 === 1 ? "0" : ""}${hex}`,
      "hex",
    );
    this.extension(Ext.BIGINT, body);
  }

  #down(step: PathStep): void {
    if (this.#depth >= this.#limits.maxDepth) {
      throw limitExceeded("maxDepth", "The value is nested too deep", this.#limits, this.path());
    }
    this.#steps[this.#depth++] = step;
  }

  #checkSize(): void {
    if (this.sink.size > this.#limits.maxBytes) {
      throw limitExceeded(
        "maxBytes",
        `The payload has ${this.sink.size} bytes`,
        this.#limits,
        this.path(),
      );
    }
  }
}

/** Whether a MessagePack map can hold the key so that every reader takes it for what it is. */
export function fitsMap(key: string): boolean {
  return key !== "__proto__" && isWellFormed(key);
}

function hasSymbols(value: object): boolean {
  return Object.getOwnPropertySymbols(value).length > 0;
}

function referenceBody(number: number): Uint8Array {
  if (number < 0x100) return Uint8Array.of(number);
  if (number < 0x1_0000) return Uint8Array.of(number >> 8, number & 0xff);
  const body = new Uint8Array(4);
  new DataView(body.buffer).setUint32(0, number);
  return body;
}

function className(value: object): string {
  return refusal(value).className ?? "Object";
}
