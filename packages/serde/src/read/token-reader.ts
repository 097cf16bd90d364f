import { SerdeError } from "../errors.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { formatPath, type PathStep } from "../path.ts";
import { Source } from "./source.ts";
import type { Mark, Measure } from "../extensions/value-reader.ts";
import type { ReadContext } from "./read-context.ts";

/** Reads the tokens of a payload: counts them against the limits, and knows where the walk stands. */
export class TokenReader {
  readonly context: ReadContext;
  protected readonly source: Source;
  /** The step taken at each level, for paths in errors. */
  protected readonly steps: (PathStep | undefined)[] = [];
  protected level = 0;
  /** How many of the levels don't count. */
  protected credit = 0;
  #deepest = 0;
  #items = 0;

  constructor(payload: Uint8Array, context: ReadContext) {
    this.context = context;
    if (payload.length > context.limits.maxBytes) {
      throw limitExceeded("maxBytes", `The payload has ${payload.length} bytes`, context.limits);
    }
    this.source = new Source(payload, context.texts);
  }

  array(size?: number): number {
    const found = this.source.arraySize(this.source.byte());
    if (found < 0 || (size !== undefined && found !== size))
      throw this.malformed("something else where a list belongs");
    this.announce(found);
    return found;
  }

  map(): number {
    const found = this.source.mapSize(this.source.byte());
    if (found < 0) throw this.malformed("something else where fields belong");
    this.announce(found * 2);
    return found;
  }

  binary(): Uint8Array<ArrayBuffer> {
    const head = this.source.byte();
    if (head < 0xc4 || head > 0xc6) throw this.malformed("something else where bytes belong");
    return this.source.binary(this.source.uint(1 << (head - 0xc4)));
  }

  isNil(): boolean {
    if (this.source.peek() !== 0xc0) return false;
    this.source.at++;
    return true;
  }

  mark(): Mark {
    return { at: this.source.at, items: this.#items };
  }

  rewind({ at, items }: Mark): void {
    this.source.at = at;
    this.#items = items;
  }

  measured<T>(work: () => T): readonly [T, Measure] {
    const deepest = this.#deepest;
    const items = this.#items;
    const depth = this.level - this.credit;
    this.#deepest = depth;
    const result = work();
    const measure = { items: this.#items - items, depth: this.#deepest - depth };
    this.#deepest = Math.max(deepest, this.#deepest);
    return [result, measure];
  }

  get limits(): Limits {
    return this.context.limits;
  }

  back(): void {
    this.steps[this.level] = undefined;
  }

  path(): string {
    return formatPath(this.steps.slice(1, this.level + 1));
  }

  malformed(what: string, cause?: unknown): SerdeError {
    return new SerdeError(
      { code: "malformed_payload", path: this.path(), message: `Not a readable payload: ${what}` },
      cause === undefined ? undefined : { cause },
    );
  }

  /** Step into a container or extension. */
  protected down(items: number): void {
    this.announce(items);
    this.steps[++this.level] = undefined;
    const depth = this.level - this.credit;
    if (depth > this.limits.maxDepth) {
      throw limitExceeded("maxDepth", "The payload is nested too deep", this.limits, this.path());
    }
    if (depth > this.#deepest) this.#deepest = depth;
  }

  /** Count items that a header announces; each takes a byte at least. */
  protected announce(items: number): void {
    if (items > this.source.left) throw this.malformed("more items announced than bytes left");
    this.#items += items;
    if (this.#items > this.limits.maxItems) {
      throw limitExceeded("maxItems", "The payload has too many items", this.limits, this.path());
    }
  }
}
