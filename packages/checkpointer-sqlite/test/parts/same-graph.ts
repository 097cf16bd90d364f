import { types } from "node:util";

/**
 * Where two values differ, in type, content or in which of their objects are one; undefined when
 * they don't.
 */
export function difference(got: unknown, want: unknown): string | undefined {
  return new Comparison().compare(got, want, "value");
}

class Comparison {
  readonly #pairs = new Map<object, object>();
  readonly #reverse = new Map<object, object>();

  compare(got: unknown, want: unknown, path: string): string | undefined {
    if (typeof got !== "object" || typeof want !== "object" || got === null || want === null)
      return Object.is(got, want) ? undefined : `${path}: ${String(got)} for ${String(want)}`;
    if (this.#pairs.has(got) || this.#reverse.has(want))
      return this.#pairs.get(got) === want ? undefined : `${path}: another object`;
    this.#pairs.set(got, want);
    this.#reverse.set(want, got);
    if (Object.getPrototypeOf(got) !== Object.getPrototypeOf(want)) return `${path}: prototype`;
    if (types.isDate(got)) return this.compare(got.getTime(), (want as Date).getTime(), path);
    if (types.isUint8Array(got))
      return Buffer.compare(got, want as Uint8Array) === 0 ? undefined : `${path}: bytes`;
    if (types.isMap(got))
      return this.#list([...got].flat(), [...(want as Map<unknown, unknown>)].flat(), path);
    if (types.isSet(got)) return this.#list([...got], [...(want as Set<unknown>)], path);
    return this.#fields(got as Fields, want as Fields, path);
  }

  #list(got: unknown[], want: unknown[], path: string): string | undefined {
    if (got.length !== want.length) return `${path}: ${got.length} items for ${want.length}`;
    return firstOf(got.map((item, i) => () => this.compare(item, want[i], `${path}<${i}>`)));
  }

  #fields(got: Fields, want: Fields, path: string): string | undefined {
    // LangChain keeps a copy of a message's fields, which is its own business.
    const names = (value: Fields): string[] =>
      Object.keys(value).filter((key) => key !== "lc_kwargs");
    if (names(got).join() !== names(want).join())
      return `${path}: fields ${names(got).join()} for ${names(want).join()}`;
    if (Array.isArray(got) && got.length !== (want as unknown as unknown[]).length)
      return `${path}: length`;
    return firstOf(
      names(got).map((key) => () => this.compare(got[key], want[key], `${path}.${key}`)),
    );
  }
}

type Fields = Readonly<Record<string, unknown>>;

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}
