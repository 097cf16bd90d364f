import { Ext } from "@threadkeep/serde";
import { collectionDocument, type Entry, extension } from "./collection.ts";
import type { Piece } from "./known.ts";
import type { Slot } from "./slot.ts";
import { reference } from "./tokens.ts";

/** What the cutting of a collection needs from around it. */
export interface PieceContext {
  /** Start value of the hash that places cuts among small items. */
  readonly seed: number;
  /** Store a slot's document as a part of its own; gives the document that stands for it. */
  refer(slot: Slot): Uint8Array;
  /** The document of an element that is known. */
  again(slot: Slot): Uint8Array;
  /** Fill in what a slot lacks that was known as an item of a piece only. */
  complete(slot: Slot): void;
  /** Store the document of a piece; gives its digest. An index refers to elements or pieces. */
  store(document: Uint8Array, isIndex: boolean): Uint8Array;
  /** Note where an item lies. */
  place(slot: Slot, piece: Piece, index: number): void;
}

/** Elements up to this size stand in their piece; larger ones are referred to from there too. */
const INLINE_BYTES = 4096;
/** A collection that takes less stays in one document. */
const WHOLE_BYTES = 1024;
/** A piece has so many items and bytes at least. */
const MIN_ITEMS = 8;
const MIN_BYTES = 512;
/** From there on every n-th item ends it, by its digest: so a piece has twice as many items, more or less. */
const CUT = 8;
/** Where none does, it ends with so many bytes, or so many items that have some bytes together. */
const MAX_BYTES = 32 * 1024;
const MAX_ITEMS = 32;
/** With more segments than this, pieces are grouped by the same rule. */
const MAX_SEGMENTS = 20;

export type CollectionKind = "list" | "record" | "map";

/**
 * The document of a collection: as it is, or joined from pieces that are stored as parts.
 *
 * Cuts lie where the items' content says, so that a change anywhere moves none of the others. Pieces
 * that were stored and have not changed are taken over. Pieces at the end, where a collection
 * grows, hold their items; those that a change in the middle makes refer to them.
 */
export function joinPieces(
  kind: CollectionKind,
  slots: readonly Slot[],
  context: PieceContext,
): Uint8Array {
  const reused = takeOver(slots, kind);
  if (reused.length === 0 && isSmall(slots)) {
    for (const slot of slots) context.complete(slot);
    return collectionDocument(
      kind,
      slots.map((slot) => referred(slot, context)),
    );
  }
  const segments: Segment[] = [];
  let at = 0;
  for (const { piece, start } of reused) {
    if (start > at) cut(kind, slots.slice(at, start), false, segments, context);
    segments.push({ piece });
    at = start + piece.count;
  }
  if (at < slots.length) cut(kind, slots.slice(at), true, segments, context);
  if (segments.length === 1 && segments[0]?.loose !== undefined) return segments[0].loose;
  return joined(grouped(segments, context));
}

/** A part of a joined collection: a stored piece, or items that stand there. */
type Segment =
  | { readonly piece: Piece; readonly loose?: undefined }
  | { readonly loose: Uint8Array; readonly piece?: undefined };

/** Whole pieces that stand in the collection as they were stored. */
function takeOver(
  slots: readonly Slot[],
  kind: CollectionKind,
): { readonly piece: Piece; readonly start: number }[] {
  const found = [];
  for (let i = 0; i < slots.length; i++) {
    const { kept, known } = slots[i] as Slot;
    if (kept !== undefined) {
      found.push({ piece: kept.piece, start: i });
      i += kept.piece.count - 1;
      continue;
    }
    const piece = known?.piece;
    if (piece === undefined || known?.index !== 0 || !standsAt(piece, slots, i, kind)) continue;
    found.push({ piece, start: i });
    i += piece.count - 1;
  }
  return found;
}

function standsAt(
  piece: Piece,
  slots: readonly Slot[],
  start: number,
  kind: CollectionKind,
): boolean {
  for (let i = 0; i < piece.count; i++) {
    const slot = slots[start + i];
    if (slot?.known?.piece !== piece || slot.known.index !== i) return false;
    if (kind !== "list" && (slot.name === undefined || slot.name !== slot.known.name)) return false;
  }
  return true;
}

/** Cut a run of items into pieces; what is left stays loose. */
function cut(
  kind: CollectionKind,
  slots: readonly Slot[],
  isTail: boolean,
  segments: Segment[],
  context: PieceContext,
): void {
  for (const slot of slots) context.complete(slot);
  let start = 0;
  let bytes = 0;
  const close = (end: number): void => {
    segments.push({ piece: storePiece(kind, slots.slice(start, end), isTail, context) });
    start = end;
    bytes = 0;
  };
  slots.forEach((slot, i) => {
    bytes += keyBytes(slot) + inlineSize(slot);
    const count = i + 1 - start;
    const isFull = bytes >= MAX_BYTES || (count >= MAX_ITEMS && bytes >= 2 * MIN_BYTES);
    const mayEnd = count >= MIN_ITEMS && bytes >= MIN_BYTES;
    if (isFull || (mayEnd && hash(slot, context.seed) % CUT === 0)) close(i + 1);
  });
  if (!isTail && slots.length - start >= MIN_ITEMS) close(slots.length);
  if (start === slots.length) return;
  const rest = slots.slice(start).map((slot) => referred(slot, context));
  segments.push({ loose: collectionDocument(kind, rest) });
}

function storePiece(
  kind: CollectionKind,
  slots: readonly Slot[],
  holdsItems: boolean,
  context: PieceContext,
): Piece {
  let isIndex = false;
  const entries = slots.map((slot) => {
    if (slot.isApart || slot.isIndex) isIndex = true;
    if (slot.digest === undefined) return slot;
    if (holdsItems && slot.size <= INLINE_BYTES)
      return { key: slot.key, bytes: slot.part?.document ?? context.again(slot) };
    isIndex = true;
    return referred(slot, context);
  });
  const digest = context.store(collectionDocument(kind, entries), isIndex);
  const piece = { digest, count: slots.length };
  slots.forEach((slot, i) => context.place(slot, piece, i));
  return piece;
}

function referred(slot: Slot, context: PieceContext): Entry {
  return slot.digest === undefined ? slot : { key: slot.key, bytes: context.refer(slot) };
}

/** Group pieces where there are many, by the same rule. */
function grouped(segments: readonly Segment[], context: PieceContext): readonly Segment[] {
  if (segments.length <= MAX_SEGMENTS) return segments;
  const result: Segment[] = [];
  let open: Segment[] = [];
  const close = (): void => {
    if (open.length < MIN_ITEMS) result.push(...open);
    else result.push({ piece: { digest: context.store(joined(open), true), count: open.length } });
    open = [];
  };
  for (const segment of segments) {
    if (segment.piece === undefined) {
      result.push(...open, segment);
      open = [];
      continue;
    }
    open.push(segment);
    const isEnd = (segment.piece.digest[0] as number) % CUT === 0;
    if ((isEnd && open.length >= MIN_ITEMS) || open.length === MAX_ITEMS) close();
  }
  result.push(...open);
  return result.length < segments.length ? grouped(result, context) : result;
}

function joined(segments: readonly Segment[]): Uint8Array {
  const documents = segments.map(({ piece, loose }) => loose ?? reference(piece.digest));
  return extension(
    Ext.JOIN,
    collectionDocument(
      "list",
      documents.map((bytes) => ({ key: undefined, bytes })),
    ),
  );
}

function keyBytes(slot: Entry): number {
  return slot.key?.length ?? 0;
}

/** Bytes that the item takes in a piece that holds it. */
function inlineSize(slot: Slot): number {
  return slot.size > INLINE_BYTES ? slot.bytes.length : slot.size;
}

function isSmall(slots: readonly Slot[]): boolean {
  let total = 0;
  for (const slot of slots) total += keyBytes(slot) + slot.bytes.length;
  return total < WHOLE_BYTES;
}

/** Where cuts lie must not depend on where the item stands. */
function hash({ digest, bytes }: Slot, seed: number): number {
  if (digest !== undefined) return (digest[0] as number) | ((digest[1] as number) << 8);
  let value = seed;
  for (const byte of bytes) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 16;
}
