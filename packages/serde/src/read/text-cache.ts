/** Texts of up to this many bytes are looked up before they are decoded. */
export const CACHED_BYTES = 32;

const SLOTS = 2048;

/**
 * Short texts that were read before, by their bytes: most keys, and values such as `"tool_call"`,
 * come again and again, and a lookup costs less than decoding.
 *
 * Each slot holds one text and the next one replaces it, so the cache stays small whatever is read.
 * Only ASCII is kept: then a text has as many characters as bytes.
 */
export class TextCache {
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS });

  /** The text of these bytes, or undefined when they are not ASCII. */
  get(bytes: Uint8Array, start: number, length: number): string | undefined {
    let hash = length;
    for (let i = 0; i < length; i++)
      hash = (Math.imul(hash, 31) + (bytes[start + i] as number)) | 0;
    const slot = (hash ^ (hash >>> 11)) & (SLOTS - 1);
    const known = this.#texts[slot];
    if (known !== undefined && known.length === length && isSame(known, bytes, start)) return known;
    let text = "";
    for (let i = 0; i < length; i++) {
      const byte = bytes[start + i] as number;
      if (byte > 0x7f) return undefined;
      text += String.fromCharCode(byte);
    }
    // Through a property name the engine makes it the one copy that property access compares by.
    const [interned] = Object.keys({ [text]: true });
    this.#texts[slot] = interned;
    return interned;
  }
}

function isSame(text: string, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
