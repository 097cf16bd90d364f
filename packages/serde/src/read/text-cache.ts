const SLOTS = 2048;

/**
 * Short texts that were read before, by their bytes: keys, and values such as `"tool_call"`, come
 * again and again, and a lookup costs less than decoding.
 *
 * Each slot holds one text and the next one replaces it, so the cache stays small whatever is read.
 * Only ASCII is kept: then a text has as many characters as bytes.
 */
export class TextCache {
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS });

  /** The text of these bytes of `source`, or undefined when they are not ASCII. */
  get(source: Buffer, start: number, length: number): string | undefined {
    let hash = length;
    let bits = 0;
    for (let i = 0; i < length; i++) {
      const byte = source[start + i] as number;
      bits |= byte;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 11)) & (SLOTS - 1);
    const known = this.#texts[slot];
    if (known !== undefined && known.length === length && isSame(known, source, start))
      return known;
    if (bits > 0x7f) return undefined;
    const text = source.toString("latin1", start, start + length);
    this.#texts[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
