import { define } from "../define.ts";
import { raiseInteger } from "../extensions/bigint.ts";
import { MapFill } from "../extensions/map.ts";
import type { PathStep } from "../path.ts";
import { Ext, holdsDocument } from "../wire.ts";
import { newList } from "./new-list.ts";
import { raiseDocument, raiseLeaf } from "./raise.ts";
import { TokenReader } from "./token-reader.ts";
import { HOLE, type ValueReader } from "../extensions/value-reader.ts";

/** An object of a document with references that is not built yet. */
const UNFINISHED = Symbol("unfinished");

/**
 * Reads one payload in a single pass, in document order.
 *
 * Containers are created empty, numbered, then filled; so a reference finds its object also from
 * inside. Only documents with references keep the numbers. What is built is linear in the bytes
 * that were read: a header's size is never taken as a promise.
 */
export class Reader extends TokenReader implements ValueReader {
  /** Objects by number, while a document with references is read. */
  #objects: unknown[] | undefined;
  /** Where the body of the extension that is read begins; -1 when it stands open. */
  #body = 0;
  /** The last copy that was made of a body, and where it came from: bodies inside of it share it. */
  #copy: { readonly start: number; readonly bytes: Uint8Array } | undefined;

  /** The value of the whole payload. */
  read(): unknown {
    const value = this.value();
    if (value === HOLE) throw this.malformed("a hole outside of an array");
    if (this.source.left > 0) throw this.malformed("extra bytes after the value");
    return value;
  }

  value(): unknown {
    const source = this.source;
    const head = source.byte();
    if (head < 0x80) return head;
    if (head < 0x90) return this.#record(head & 0x0f);
    if (head < 0xa0) return this.#array(head & 0x0f);
    if (head < 0xc0) return source.text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.enter(source.binary(source.uint(1 << (head - 0xc4))));
      case 0xca:
        return source.float32();
      case 0xcb:
        return source.float64();
      case 0xcc:
      case 0xcd:
      case 0xce:
        return source.uint(1 << (head - 0xcc));
      case 0xcf:
        return raiseInteger(source.uint64());
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return source.int(1 << (head - 0xd0));
      case 0xd3:
        return raiseInteger(source.int64());
      case 0xd9:
      case 0xda:
      case 0xdb:
        return source.text(source.uint(1 << (head - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(source.uint(head === 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return this.#record(source.uint(head === 0xde ? 2 : 4));
      case 0xc1:
        throw this.malformed("a byte that is not MessagePack");
      default:
        return this.#extension(source.extensionLength(head));
    }
  }

  child(step: PathStep): unknown {
    this.steps[this.level] = step;
    const value = this.value();
    if (value === HOLE) throw this.malformed("a hole outside of an array");
    return value;
  }

  content(step: PathStep): unknown {
    const head = this.source.peek();
    const isOwn = (head >= 0x80 && head <= 0x9f) || (head >= 0xdc && head <= 0xdf);
    if (!isOwn || this.#isOpenMark(1)) return this.child(step);
    this.credit++;
    const value = this.child(step);
    this.credit--;
    return value;
  }

  text(): string {
    const source = this.source;
    const head = source.byte();
    const length = source.textLength(head);
    if (length >= 0) return source.key(length);
    const value =
      head >= 0xc7 && head <= 0xd8 ? this.#extension(source.extensionLength(head)) : head;
    if (typeof value !== "string") throw this.malformed("something else where a text belongs");
    return value;
  }

  fields(set: (key: string, value: unknown) => void): void {
    const size = this.map();
    for (let i = 0; i < size; i++) {
      const key = this.text();
      set(key, this.child(key));
    }
  }

  typed<T extends object>(
    code: number,
    module: string,
    name: string,
    read: () => T,
  ): T | undefined {
    const source = this.source;
    const readTyped = (): T => {
      this.array(3);
      if (this.text() !== module || this.text() !== name)
        throw this.malformed(`something else where ${name} belongs`);
      return read();
    };
    if (source.peek() === 0x92 && this.#isOpenMark(1) && source.peek(3) === code) {
      source.at++;
      return this.#open(readTyped);
    }
    const start = source.at;
    const length = source.extensionLength(source.byte());
    if (length >= 0 && source.byte() === code) return this.#closed(length, readTyped);
    source.at = start;
    return undefined;
  }

  enter<T extends object>(object: T): T {
    if (this.#objects !== undefined) this.#objects.push(object);
    return object;
  }

  enterLater(): <T extends object>(object: T) => T {
    const objects = this.#objects;
    if (objects === undefined) return (object) => object;
    const number = objects.push(UNFINISHED) - 1;
    return (object) => {
      objects[number] = object;
      return object;
    };
  }

  get isGraph(): boolean {
    return this.#objects !== undefined;
  }

  body(): Uint8Array | undefined {
    const start = this.#body;
    if (start < 0) return undefined;
    const { bytes, end } = this.source;
    const copy = this.#copy;
    if (copy !== undefined && start >= copy.start && end <= copy.start + copy.bytes.length)
      return copy.bytes.subarray(start - copy.start, end - copy.start);
    this.#copy = { start, bytes: bytes.slice(start, end) };
    return this.#copy.bytes;
  }

  #array(size: number): unknown {
    if (size === 2 && this.#isOpenMark()) return this.#open((code) => raiseDocument(code, this));
    this.down(size);
    const array = this.enter(newList<unknown>());
    for (let i = 0; i < size; i++) {
      this.steps[this.level] = i;
      const item = this.value();
      if (item === HOLE) array.length++;
      else array.push(item);
    }
    this.level--;
    return array;
  }

  /** A map: a record, or a Map when a key is no text. */
  #record(size: number): object {
    this.down(size * 2);
    const source = this.source;
    const record: Record<string, unknown> = {};
    this.enter(record);
    /** The keys in their order, kept once a key has come that the engine puts in another one. */
    let order: string[] | undefined;
    for (let i = 0; i < size; i++) {
      const start = source.at;
      const length = source.textLength(source.byte());
      if (length < 0) {
        source.at = start;
        return this.#mixedMap(record, order ?? Object.keys(record), size - i);
      }
      const key = source.key(length);
      if (isIndexLike(key)) order ??= Object.keys(record);
      order?.push(key);
      this.steps[this.level] = key;
      const value = this.value();
      if (value === HOLE) throw this.malformed("a hole outside of an array");
      if (key === "__proto__") define(record, key, value);
      else record[key] = value;
    }
    this.level--;
    return record;
  }

  /** Go on with a map in which a key came that is no text. */
  #mixedMap(record: Record<string, unknown>, keys: readonly string[], left: number): object {
    // Such Maps stand open there: a reference may already have found the record.
    if (this.#objects !== undefined) throw this.malformed("a map with keys that are no text");
    const map = new Map<unknown, unknown>();
    for (const key of keys) map.set(key, record[key]);
    const fill = new MapFill(map, this);
    for (let i = 0; i < left; i++) fill.next(keys.length + i);
    this.level--;
    return map;
  }

  #extension(length: number): unknown {
    const source = this.source;
    const code = source.uint(1);
    if (holdsDocument(code) && code !== Ext.GRAPH)
      return this.#closed(length, () => raiseDocument(code, this));
    const start = source.skip(length);
    if (code === Ext.REF) return this.#reference(start, length);
    if (code === Ext.GRAPH) return this.#graph(start, length);
    return raiseLeaf(code, source.bytes.subarray(start, source.at), this);
  }

  /** Read the body of an extension, which begins here. */
  #closed<T>(length: number, read: () => T): T {
    const source = this.source;
    const body = this.#body;
    const end = source.end;
    const objects = this.#objects;
    this.#body = source.at;
    source.end = source.skip(length) + length;
    source.at = this.#body;
    // Inside of a document with references it holds none, and its objects have no numbers.
    this.#objects = undefined;
    this.down(0);
    const value = read();
    this.level--;
    if (source.left > 0) throw this.malformed("an extension longer than its content");
    this.#body = body;
    source.end = end;
    this.#objects = objects;
    return typeof value === "object" && value !== null ? this.enter(value) : value;
  }

  /** Read an extension that stands open, behind its mark. */
  #open<T>(read: (code: number) => T): T {
    const source = this.source;
    const code = source.bytes[source.skip(3) + 2] as number;
    if (!holdsDocument(code) || code === Ext.GRAPH) throw this.malformed("a broken open extension");
    const body = this.#body;
    this.#body = -1;
    this.down(0);
    const value = read(code);
    this.level--;
    this.#body = body;
    return value;
  }

  #isOpenMark(ahead = 0): boolean {
    const source = this.source;
    return (
      this.#objects !== undefined &&
      source.peek(ahead) === 0xd4 &&
      source.peek(ahead + 1) === Ext.OPEN
    );
  }

  /** A whole document, with references; only a saver puts one inside of another. */
  #graph(start: number, length: number): unknown {
    const source = this.source;
    const isWhole = this.level === 0 && source.left === 0;
    if (this.#objects !== undefined || !(isWhole || this.context.part !== undefined))
      throw this.malformed("a document with references inside of another");
    const { end } = source;
    source.at = start;
    source.end = start + length;
    this.#objects = [];
    const value = this.value();
    if (source.left > 0) throw this.malformed("a document with references longer than its content");
    this.#objects = undefined;
    source.end = end;
    return value;
  }

  #reference(start: number, length: number): unknown {
    const objects = this.#objects;
    if (objects === undefined || (length !== 1 && length !== 2 && length !== 4))
      throw this.malformed("a stray reference");
    const { bytes } = this.source;
    let number = 0;
    for (let i = 0; i < length; i++) number = number * 0x100 + (bytes[start + i] as number);
    if (number >= objects.length) throw this.malformed("a reference to nothing");
    const object = objects[number];
    if (object === UNFINISHED)
      throw this.malformed("a cycle through an object that is built from its contents");
    return object;
  }
}

/** Whether an object may put the key before keys that came earlier. */
function isIndexLike(key: string): boolean {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}
