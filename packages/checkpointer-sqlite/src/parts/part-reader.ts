import { Ext, type MsgpackSerializer } from "@threadkeep/serde";
import { SaverError } from "../errors.ts";
import type { Piece } from "./known.ts";
import type { Lesson, ThreadElements } from "./thread-elements.ts";
import type { Part } from "./part.ts";
import { digestKey, partsIn, Tokens } from "./tokens.ts";

/** A part that was asked for: itself, what is wrong with it, or undefined when it is missing. */
export type FetchedPart = Part | SaverError | undefined;

/** Where what is read is learned, so that it need not be written again. */
export interface Learning {
  readonly elements: ThreadElements;
  readonly generation: number;
}

/** A document with all its parts may take so much: a part can be named often, which costs nothing. */
const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Reads values that were cut into parts, all from one thread. The parts of collections are fetched
 * level by level, for many values at once: a statement for each would take longer than all the rest.
 */
export class PartReader {
  readonly #fetch: (digests: readonly Uint8Array[]) => readonly FetchedPart[];
  readonly #parts = new Map<string, FetchedPart>();
  readonly #known: ThreadElements | undefined;
  readonly #lesson: Lesson | undefined;
  #bytes = 0;

  constructor(
    fetch: (digests: readonly Uint8Array[]) => readonly FetchedPart[],
    learning?: Learning,
  ) {
    this.#fetch = fetch;
    if (learning === undefined) return;
    const { elements, generation } = learning;
    this.#known = elements;
    const { now: sharedAt } = elements.shared;
    this.#lesson = { generation, batch: elements.newBatch(), sharedAt, isNew: false, isOwn: true };
  }

  /** Fetch every part of these documents. */
  prefetch(documents: readonly Uint8Array[]): void {
    let level = documents.flatMap(partsIn);
    while (level.length > 0) {
      const found = this.#fetchAll(level);
      level = found.flatMap((part) => (isPart(part) && part.isIndex ? partsIn(part.document) : []));
    }
  }

  /** The value of a document. */
  read(document: Uint8Array, serializer: MsgpackSerializer): unknown {
    /** Objects that are one wherever they stand in the value. */
    const shared = new Map<string, unknown>();
    const read = (document: Uint8Array): unknown =>
      serializer.read("msgpack", document, (digest) => {
        const key = digestKey(digest);
        if (shared.has(key)) return shared.get(key);
        const part = this.part(digest);
        const value = read(part.document);
        if (part.identity !== undefined) shared.set(key, value);
        if (typeof value === "object" && value !== null) this.#learn(value, digest, part);
        return value;
      });
    return read(document);
  }

  part(digest: Uint8Array): Part {
    const key = digestKey(digest);
    if (!this.#parts.has(key)) this.#fetchAll([digest]);
    const part = this.#parts.get(key);
    if (part === undefined) throw new SaverError("corrupt", "one of its parts is missing");
    if (!isPart(part)) throw part;
    this.#bytes += part.document.length;
    if (this.#bytes > MAX_BYTES)
      throw new SaverError("corrupt", "its parts together are larger than any value can be");
    return part;
  }

  #fetchAll(digests: readonly Uint8Array[]): readonly FetchedPart[] {
    const wanted = new Map<string, Uint8Array>();
    for (const digest of digests) {
      const key = digestKey(digest);
      if (!this.#parts.has(key)) wanted.set(key, digest);
    }
    const found = wanted.size === 0 ? [] : this.#fetch([...wanted.values()]);
    [...wanted.keys()].forEach((key, i) => void this.#parts.set(key, found[i]));
    return found;
  }

  #learn(value: object, digest: Uint8Array, part: Part): void {
    const known = this.#known;
    const lesson = this.#lesson;
    if (known === undefined || lesson === undefined) return;
    const { document, isIndex, isPiece, identity } = part;
    if (identity !== undefined) known.shared.learn(value, identity);
    if (!isPiece) {
      const stored = { digest, size: document.length, isIndex, isShared: identity !== undefined };
      return known.learn(value, stored, undefined, document.length, lesson);
    }
    // The pieces of a group were learned one by one.
    if (new Tokens(document).extension()?.code === Ext.JOIN) return;
    const [items, names] = contentsOf(value);
    const piece: Piece = { digest, count: items.length };
    if (names === undefined && !isIndex && known.learnPiece(items, piece, document.length, lesson))
      return;
    const size = document.length / Math.max(1, items.length);
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item !== "object" || item === null) continue;
      const stored = { piece, index, name: names?.[index], isIndex };
      known.learn(item, undefined, stored, size, lesson);
    }
  }
}

function isPart(part: FetchedPart): part is Part {
  return part !== undefined && !SaverError.is(part);
}

type Contents = readonly [items: readonly unknown[], names?: readonly (string | undefined)[]];

function contentsOf(piece: object): Contents {
  if (Array.isArray(piece)) return [piece];
  if (!(piece instanceof Map)) return [Object.values(piece), Object.keys(piece)];
  const names = [...piece.keys()].map((key) => (typeof key === "string" ? key : undefined));
  return [[...piece.values()], names];
}
