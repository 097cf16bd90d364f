/** A document that is stored on its own, under the digest of what it is. */
export interface Part {
  readonly document: Uint8Array;
  /** Whether it refers to parts that are worth fetching ahead: those of a collection. */
  readonly isIndex: boolean;
  /** Whether it is a piece of a collection, no element of one. */
  readonly isPiece: boolean;
  /** Set when it is one object wherever it stands in a value; tells it from others that are equal. */
  readonly identity: Uint8Array | undefined;
}

/** A part under its name. */
export interface NamedPart extends Part {
  readonly digest: Uint8Array;
}

export const IDENTITY_BYTES = 8;
const INDEX = 1;
const PIECE = 2;
const SHARED = 4;

/** A part that is nothing but a document. */
export function plainPart(document: Uint8Array): Part {
  return { document, isIndex: false, isPiece: false, identity: undefined };
}

/** The bytes of a part: one for its kind, its identity, its document. */
export function partBytes({ document, isIndex, isPiece, identity }: Part): Uint8Array {
  const start = 1 + (identity?.length ?? 0);
  const bytes = new Uint8Array(start + document.length);
  bytes[0] = (isIndex ? INDEX : 0) | (isPiece ? PIECE : 0) | (identity === undefined ? 0 : SHARED);
  if (identity !== undefined) bytes.set(identity, 1);
  bytes.set(document, start);
  return bytes;
}

/** A part from its bytes; undefined for bytes that are none. */
export function partFrom(bytes: Uint8Array): Part | undefined {
  const kind = bytes[0];
  if (kind === undefined || kind >= SHARED * 2) return undefined;
  const isShared = (kind & SHARED) !== 0;
  const start = 1 + (isShared ? IDENTITY_BYTES : 0);
  if (bytes.length <= start) return undefined;
  return {
    document: bytes.subarray(start),
    isIndex: (kind & INDEX) !== 0,
    isPiece: (kind & PIECE) !== 0,
    identity: isShared ? bytes.subarray(1, start) : undefined,
  };
}
