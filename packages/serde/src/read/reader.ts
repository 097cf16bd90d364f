import { HOLE } from "../extensions/special.ts";
import { fillMap } from "../extensions/map.ts";
import { raiseInteger } from "../extensions/bigint.ts";
import { define } from "../extensions/record.ts";
import { SerdeError } from "../errors.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { formatPath, type PathStep } from "../path.ts";
import type { TypeKey } from "../types/definition.ts";
import type { TypeTable } from "../types/type-table.ts";
import { Ext, holdsDocument } from "../wire.ts";
import { raiseDocumentExtension, raiseLeaf } from "./raise.ts";
import { isText, RawExtension, RawReader, readText } from "./raw.ts";
import { type Facts, scan } from "./scan.ts";

/** What a blocked type becomes. */
export type OnBlocked = "throw" | "inert";

export interface ReadContext {
  readonly types: TypeTable;
  readonly limits: Limits;
  readonly onBlocked: OnBlocked;
  /** Told of each type that was not allowed. */
  readonly blocked?: (key: TypeKey, path: string) => void;
  /** The value of a part that a saver stores on its own. */
  readonly part?: (digest: Uint8Array) => unknown;
}

/** An object of a document with references that is not built yet. */
const UNFINISHED = Symbol("unfinished");

/**
 * Turns a raw tree into the value, in document order.
 *
 * Containers are created empty, numbered, then filled; so a reference finds its object also from
 * inside. Only documents with references keep the numbers.
 */
export class Reader {
  readonly context: ReadContext;
  readonly #payload: Uint8Array;
  readonly #facts: Facts;
  readonly #raw = new RawReader();
  readonly #steps: PathStep[] = [];
  #depth = 0;
  #items = 0;
  /** Objects by number, while a document with references is read. */
  #objects: unknown[] | undefined;

  constructor(payload: Uint8Array, context: ReadContext) {
    this.context = context;
    this.#payload = payload;
    this.#facts = scan(payload, context.limits);
  }

  /** The value of the whole payload. */
  read(): unknown {
    const value = this.value(this.#parse(this.#payload));
    if (value === HOLE) throw this.malformed("a hole outside of an array");
    return value;
  }

  /** The value for a raw one. */
  value(raw: unknown): unknown {
    if (++this.#items > this.limits.maxItems) {
      throw limitExceeded("maxItems", "The payload has too many items", this.limits, this.path());
    }
    if (typeof raw === "bigint") return raiseInteger(raw);
    if (typeof raw !== "object" || raw === null) return raw;
    if (raw instanceof Uint8Array)
      return isText(raw, this.#payload) ? this.text(raw) : this.enter(raw.slice());
    if (raw instanceof RawExtension) return this.#extension(raw);
    if (Array.isArray(raw)) return this.#array(raw);
    return this.#map(raw as Record<string, unknown>);
  }

  /** The value for a raw one, a step down. */
  child(step: PathStep, raw: unknown): unknown {
    if (this.#depth >= this.limits.maxDepth) {
      throw limitExceeded("maxDepth", "The payload is nested too deep", this.limits, this.path());
    }
    this.#steps[this.#depth++] = step;
    const value = this.value(raw);
    if (value === HOLE) throw this.malformed("a hole outside of an array");
    this.#depth--;
    return value;
  }

  /** Number an object; to be called before its contents are read. */
  enter<T extends object>(object: T): T {
    this.#objects?.push(object);
    return object;
  }

  /** Number an object that can be built only from its contents; gives the function that fills it in. */
  enterLater(): (object: object) => object {
    const number = this.#objects?.push(UNFINISHED);
    return (object) => {
      if (number !== undefined && this.#objects !== undefined) this.#objects[number - 1] = object;
      return object;
    };
  }

  /** A raw string, or the stand-in for an ill-formed one. */
  text(raw: unknown): string {
    if (raw instanceof Uint8Array && isText(raw, this.#payload)) {
      try {
        return readText(raw, 0, raw.length);
      } catch {
        throw this.malformed("text that is not UTF-8");
      }
    }
    const value =
      raw instanceof RawExtension && raw.code === Ext.TEXT ? raiseLeaf(raw, this) : undefined;
    if (typeof value !== "string") throw this.malformed("something else where a text belongs");
    return value;
  }

  /** A raw array, of this length if one is given. */
  list(raw: unknown, length?: number): readonly unknown[] {
    if (!Array.isArray(raw) || (length !== undefined && raw.length !== length)) {
      throw this.malformed("something else where a list belongs");
    }
    return raw;
  }

  /** The raw fields of a record with string keys. */
  fields(raw: unknown): readonly (readonly [key: string, raw: unknown])[] {
    if (
      typeof raw !== "object" ||
      raw === null ||
      Array.isArray(raw) ||
      raw instanceof Uint8Array ||
      raw instanceof RawExtension
    ) {
      throw this.malformed("something else where fields belong");
    }
    return Object.entries(raw).map(([key, value]) => {
      const restored = this.#raw.restore(key);
      if (!("text" in restored)) throw this.malformed("a field whose name is no text");
      return [restored.text, value] as const;
    });
  }

  /** The raw fields of an extension `[module, name, fields]` of one certain type. */
  typedFields(raw: unknown, module: string, name: string): ReadonlyMap<string, unknown> {
    const opened = this.open(raw);
    if (opened === undefined || opened.code !== Ext.KW_ARGS)
      throw this.malformed(`something else where ${name} belongs`);
    const [rawModule, rawName, fields] = this.list(opened.body);
    if (this.text(rawModule) !== module || this.text(rawName) !== name)
      throw this.malformed(`something else where ${name} belongs`);
    return new Map(this.fields(fields));
  }

  /** An extension's code and raw body, closed or open; undefined for anything else. */
  open(
    raw: unknown,
  ):
    | { readonly code: number; readonly body: unknown; readonly bytes: Uint8Array | undefined }
    | undefined {
    if (raw instanceof RawExtension && holdsDocument(raw.code)) {
      return { code: raw.code, body: this.#parse(raw.body), bytes: raw.body };
    }
    if (!Array.isArray(raw) || raw.length !== 2 || this.#objects === undefined) return undefined;
    const [mark, body] = raw as unknown[];
    if (!(mark instanceof RawExtension) || mark.code !== Ext.OPEN) return undefined;
    const code = mark.body[0];
    if (
      mark.body.length !== 1 ||
      code === undefined ||
      !holdsDocument(code) ||
      code === Ext.GRAPH
    ) {
      throw this.malformed("a broken open extension");
    }
    return { code, body, bytes: undefined };
  }

  get limits(): Limits {
    return this.context.limits;
  }

  path(): string {
    return formatPath(this.#steps.slice(0, this.#depth));
  }

  malformed(what: string, cause?: unknown): SerdeError {
    return new SerdeError(
      { code: "malformed_payload", path: this.path(), message: `Not a readable payload: ${what}` },
      cause === undefined ? undefined : { cause },
    );
  }

  #parse(bytes: Uint8Array): unknown {
    try {
      return this.#raw.read(bytes, this.#facts.anyKeys);
    } catch (error) {
      throw this.malformed("bytes that don't decode", error);
    }
  }

  #extension(raw: RawExtension): unknown {
    if (raw.code === Ext.GRAPH) return this.#graph(raw.body);
    if (raw.code === Ext.REF) return this.#reference(raw.body);
    if (!holdsDocument(raw.code)) return raiseLeaf(raw, this);
    if (this.#objects === undefined)
      return raiseDocumentExtension(raw.code, this.#parse(raw.body), raw.body, this);
    // Closed inside of a document with references: it holds none, and its objects have no numbers.
    const outer = this.#objects;
    this.#objects = undefined;
    const value = raiseDocumentExtension(raw.code, this.#parse(raw.body), raw.body, this);
    this.#objects = outer;
    return typeof value === "object" && value !== null ? this.enter(value) : value;
  }

  #graph(body: Uint8Array): unknown {
    if (this.#objects !== undefined)
      throw this.malformed("a document with references inside of another");
    this.#objects = [];
    const value = this.value(this.#parse(body));
    this.#objects = undefined;
    return value;
  }

  #reference(body: Uint8Array): unknown {
    const { length } = body;
    if (this.#objects === undefined || (length !== 1 && length !== 2 && length !== 4))
      throw this.malformed("a stray reference");
    const number = body.reduce((sum, byte) => sum * 256 + byte, 0);
    if (number >= this.#objects.length) throw this.malformed("a reference to nothing");
    const object = this.#objects[number];
    if (object === UNFINISHED)
      throw this.malformed("a cycle through an object that is built from its contents");
    return object;
  }

  #array(raw: unknown[]): unknown {
    const opened = this.open(raw);
    if (opened !== undefined)
      return raiseDocumentExtension(opened.code, opened.body, undefined, this);
    this.enter(raw);
    for (let i = 0; i < raw.length; i++) {
      const item = raw[i];
      if (typeof item !== "object" && typeof item !== "bigint") continue;
      if (
        item instanceof RawExtension &&
        item.code === Ext.SPECIAL &&
        raiseLeaf(item, this) === HOLE
      )
        delete raw[i];
      else raw[i] = this.child(i, item);
    }
    return raw;
  }

  #map(raw: Record<string, unknown>): object {
    if (this.#facts.anyKeys || this.#facts.oddKeys) return this.#carefulMap(raw);
    this.enter(raw);
    for (const key of Object.keys(raw)) {
      const item = raw[key];
      if (typeof item === "object" || typeof item === "bigint") raw[key] = this.child(key, item);
    }
    return raw;
  }

  /** A map some of whose keys may be escaped: a record with odd names, or a Map. */
  #carefulMap(raw: Record<string, unknown>): object {
    const entries = Object.entries(raw).map(
      ([key, value]) => [this.#raw.restore(key), value] as const,
    );
    if (entries.every(([key]) => "text" in key)) {
      const record = this.enter({});
      for (const [key, value] of entries) {
        const { text } = key as { text: string };
        define(record, text, this.child(text, value));
      }
      return record;
    }
    const map = this.enter(new Map<unknown, unknown>());
    // Keys that came as text were decoded already.
    const pairs = entries.flatMap(([key, value]) => ["text" in key ? key.text : key.raw, value]);
    fillMap(map, pairs, this);
    return map;
  }
}
