const SLOTS = 2048;
/** The longest text that is kept, in words of four bytes. */
const WORDS = 10;

/** The longest text that is kept, in bytes. */
export const LONGEST_CACHED: number = WORDS * 4;

/**
 * Short texts that were read before, by their bytes: keys, and values such as `"tool_call"`, come
 * again and again, and a lookup costs less than decoding.
 *
 * Each slot holds one text and the next one replaces it, so the cache stays small whatever is read.
 * Only ASCII is kept: then a text has as many characters as bytes. Bytes are compared four at a
 * time, which halves the time of reading a record; a text's last word overlaps the one before.
 */
export class TextCache {
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS });
  readonly #words = new Int32Array(SLOTS * WORDS);

  /** The text of these bytes of `source`, or undefined when they are not ASCII. */
  get(source: Buffer, view: DataView, start: number, length: number): string | undefined {
    if (length === 0) return "";
    const isShort = length < 4;
    const first = isShort ? shortWord(source, start, length) : view.getInt32(start, true);
    const last = isShort ? first : view.getInt32(start + length - 4, true);
    const middle = isShort ? first : view.getInt32(start + (length >> 1) - 2, true);
    const slot = slotOf(first, middle, last, length);
    const begin = slot * WORDS;
    const end = begin + ((length - 1) >> 2);
    const words = this.#words;
    const known = this.#texts[slot];
    if (known?.length === length && words[begin] === first && words[end] === last) {
      let word = begin + 1;
      let at = start + 4;
      for (; word < end && words[word] === view.getInt32(at, true); word++) at += 4;
      if (word >= end) return known;
    }
    let bits = first | last;
    for (let at = start + 4; at < start + length - 4; at += 4) bits |= view.getInt32(at, true);
    if ((bits & 0x80808080) !== 0) return undefined;
    const text = source.toString("latin1", start, start + length);
    words[begin] = first;
    for (let word = begin + 1, at = start + 4; word < end; word++, at += 4)
      words[word] = view.getInt32(at, true);
    words[end] = last;
    this.#texts[slot] = text;
    return text;
  }
}

/** A text of less than a word. */
function shortWord(bytes: Uint8Array, start: number, length: number): number {
  let word = 0;
  for (let i = 0; i < length; i++) word |= (bytes[start + i] as number) << (8 * i);
  return word;
}

function slotOf(first: number, middle: number, last: number, length: number): number {
  let hash = Math.imul(first ^ Math.imul(last, 31) ^ length, 0x9e3779b1);
  hash ^= middle;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (SLOTS - 1);
}
