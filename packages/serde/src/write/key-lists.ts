import { encode } from "@msgpack/msgpack";
import type { EncodedKey, KeyList } from "../extensions/key-list.ts";
import { isWellFormed } from "../text.ts";

/** Longer lists are rarely met twice. */
const MAX_KEYS = 32;
/** Lists that begin with the same key. */
const MAX_ALIKE = 8;
const MAX_LISTS = 2048;

/**
 * Lists of keys that were written before: most records are one of many of their shape, so their
 * keys are looked at and turned into bytes once.
 */
export class KeyLists {
  readonly #byFirst = new Map<string, KeyList[]>();
  #size = 0;

  /** Undefined when UTF-8, and so a map of MessagePack's, can't hold one of the keys. */
  find(keys: readonly string[]): KeyList | undefined {
    const [first] = keys;
    if (first === undefined) return NONE;
    if (keys.length > MAX_KEYS) return encodeKeys(keys);
    const alike = this.#byFirst.get(first);
    if (alike !== undefined) {
      for (const list of alike) if (isSame(list.keys, keys)) return list;
    }
    const list = encodeKeys(keys);
    if (list !== undefined) this.#keep(first, alike, list);
    return list;
  }

  #keep(first: string, alike: KeyList[] | undefined, list: KeyList): void {
    if (this.#size >= MAX_LISTS) {
      this.#byFirst.clear();
      this.#size = 0;
      alike = undefined;
    }
    if (alike === undefined) {
      this.#byFirst.set(first, [list]);
    } else {
      if (alike.length >= MAX_ALIKE) alike.shift();
      else this.#size++;
      alike.push(list);
      return;
    }
    this.#size++;
  }
}

const NONE: KeyList = { keys: [], encoded: [] };

function encodeKeys(keys: readonly string[]): KeyList | undefined {
  for (const key of keys) if (!isWellFormed(key)) return undefined;
  return { keys, encoded: keys.map(encodeKey) };
}

function encodeKey(key: string): EncodedKey {
  const bytes = encode(key);
  const filled = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  filled.set(bytes);
  const view = new DataView(filled.buffer);
  const words = Int32Array.from({ length: filled.length / 4 }, (_, i) => view.getInt32(i * 4));
  return { bytes, words };
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
