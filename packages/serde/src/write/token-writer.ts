import { type Limits, limitExceeded } from "../limits.ts";
import { formatPath, type PathStep } from "../path.ts";
import { toCodeUnits } from "../text.ts";
import { Ext, JS_MODULE, type Special } from "../wire.ts";
import type { Sink } from "./sink.ts";
import type { EncodedKey } from "../extensions/key-list.ts";

/** Writes the tokens of a document: counts them against the limits, and knows where the walk stands. */
export class TokenWriter {
  readonly limits: Limits;
  protected readonly sink: Sink;
  /** How many containers and extensions are open. */
  protected level = 0;
  /** The step taken at each level. */
  protected readonly steps: (PathStep | undefined)[] = [];
  readonly #at: readonly PathStep[];
  /** Where the open extensions began, by level. */
  readonly #starts: number[] = [];
  #items = 0;
  #deepest = 0;

  /** Something was written that Python does not read. */
  js = false;
  /** Where extensions stand that stay closed when references are opened. */
  readonly closedAt: number[] = [];
  /** Where Maps stand that are maps on the wire too. */
  readonly mapsAt: number[] = [];

  /** `at` are the first steps of every path. */
  constructor(sink: Sink, limits: Limits, at: readonly PathStep[]) {
    this.sink = sink;
    this.limits = limits;
    this.#at = at;
  }

  begin(code: number): void {
    if (code >= Ext.SPECIAL) this.js = true;
    this.down();
    this.#starts[this.level] = this.sink.size;
    this.sink.begin(code);
  }

  end(): void {
    const moved = this.sink.end();
    if (moved !== 0) {
      const start = this.#starts[this.level--] as number;
      shift(this.closedAt, start, moved);
      shift(this.mapsAt, start, moved);
    } else {
      this.level--;
    }
  }

  beginMap(size: number): void {
    this.down();
    this.mapsAt.push(this.sink.size);
    this.map(size);
  }

  endMap(): void {
    this.level--;
  }

  extension(code: number, body: Uint8Array): void {
    if (code >= Ext.SPECIAL) this.js = true;
    this.sink.extension(code, body);
  }

  closed(
    code: number,
    body: Uint8Array,
    { items, depth }: { readonly items: number; readonly depth: number },
  ): void {
    this.down();
    this.#announce(items);
    if (this.level + depth > this.limits.maxDepth) throw this.#tooDeep();
    this.closedAt.push(this.sink.size);
    this.extension(code, body);
    this.level--;
  }

  array(size: number): void {
    this.#announce(size);
    this.sink.array(size);
  }

  map(size: number): void {
    this.#announce(size * 2);
    this.sink.map(size);
  }

  nil(): void {
    this.sink.nil();
  }

  text(value: string): void {
    if (!this.sink.text(value)) this.extension(Ext.TEXT, toCodeUnits(value));
  }

  key(key: EncodedKey): void {
    this.sink.key(key);
  }

  integer(value: number): void {
    this.sink.number(value);
  }

  float(value: number): void {
    this.sink.float(value);
  }

  binary(value: Uint8Array): void {
    this.sink.binary(value);
  }

  special(kind: (typeof Special)[keyof typeof Special]): void {
    this.extension(Ext.SPECIAL, Uint8Array.of(kind));
  }

  raw(bytes: Uint8Array, items = 0): void {
    this.#announce(items);
    this.sink.raw(bytes);
  }

  typeHead(size: number, module: string, name: string): void {
    // The class exists in JavaScript alone: Python has to raise, not to shrug.
    if (module === JS_MODULE) this.js = true;
    this.array(size);
    this.text(module);
    this.text(name);
  }

  /** Where the walk stands. */
  path(): string {
    return formatPath(this.place());
  }

  protected place(): PathStep[] {
    return [...this.#at, ...(this.steps.slice(1, this.level + 1) as PathStep[])];
  }

  /** Step into a container or extension. */
  protected down(): void {
    if (++this.level > this.#deepest) this.#goDeeper();
    this.steps[this.level] = undefined;
  }

  /** What a piece of the document counts against the limits. */
  protected measured(write: () => void): { readonly items: number; readonly depth: number } {
    const items = this.#items;
    const deepest = this.#deepest;
    this.#deepest = this.level;
    write();
    const depth = this.#deepest - this.level;
    this.#deepest = Math.max(deepest, this.#deepest);
    return { items: this.#items - items, depth };
  }

  #goDeeper(): void {
    if (this.level > this.limits.maxDepth) throw this.#tooDeep();
    this.#deepest = this.level;
  }

  #announce(items: number): void {
    this.#items += items;
    if (this.#items > this.limits.maxItems)
      throw limitExceeded("maxItems", "The value has too many items", this.limits, this.path());
  }

  #tooDeep(): Error {
    return limitExceeded("maxDepth", "The value is nested too deep", this.limits, this.path());
  }
}

/** Correct the places, all of them behind `start`, that a body holds which was moved. */
function shift(places: number[], start: number, by: number): void {
  for (let i = places.length - 1; i >= 0 && (places[i] as number) >= start; i--)
    places[i] = (places[i] as number) + by;
}
