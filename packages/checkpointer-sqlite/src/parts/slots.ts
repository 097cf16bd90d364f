import { Ext } from "@threadkeep/serde";
import type { Known } from "./known-elements.ts";
import { BIG_TEXT } from "./opens.ts";
import { type Part, plainPart } from "./part.ts";
import type { CollectionKind, Slot } from "./pieces.ts";
import { type Contents, reference, Tokens } from "./tokens.ts";

/** An object inside of a collection, as it was put into the collection's document. */
export interface Item {
  /** Undefined when it must not be learned. */
  readonly object: object | undefined;
  /** What stands for it there: its document, or a reference to that. */
  readonly bytes: Uint8Array;
  /** Itself and its name, when it is large enough to be a part. */
  readonly part: Part | undefined;
  readonly digest: Uint8Array | undefined;
  readonly known: Known | undefined;
  /** Whether its document refers to parts that are worth fetching ahead. */
  readonly isIndex: boolean;
  /** Whether it is one object wherever it stands. */
  readonly isApart: boolean;
}

/**
 * The items of a collection's document: the objects that were put there, in order, and between them
 * what the serializer wrote itself. Undefined for a document of another form.
 */
export function slotsOf(
  kind: CollectionKind,
  document: Uint8Array,
  items: readonly Item[],
  nameOf: (part: Part) => Uint8Array,
): Slot[] | undefined {
  const tokens = new Tokens(document);
  const contents = contentsOf(kind, tokens);
  if (contents === undefined) return undefined;
  const slots: Slot[] = [];
  let next = 0;
  let at = contents.start;
  for (let i = 0; i < contents.count; i += kind === "list" ? 1 : 2) {
    let key: Uint8Array | undefined;
    let name: string | undefined;
    if (kind !== "list") {
      name = tokens.text(at);
      key = document.slice(at, (at = tokens.end(at)));
    }
    const start = at;
    at = tokens.end(start);
    const item = isObject(tokens, start) ? items[next++] : undefined;
    if (item !== undefined) {
      slots.push({ key, name, ...item });
      continue;
    }
    const bytes = document.slice(start, at);
    const primitive: Slot = {
      key,
      name,
      object: undefined,
      bytes,
      part: undefined,
      digest: undefined,
      known: undefined,
      isIndex: false,
      isApart: false,
    };
    slots.push(tokens.textLength(start) < BIG_TEXT ? primitive : asPart(primitive, nameOf));
  }
  return next === items.length ? slots : undefined;
}

function asPart(slot: Slot, nameOf: (part: Part) => Uint8Array): Slot {
  const part = plainPart(slot.bytes);
  const digest = nameOf(part);
  return { ...slot, bytes: reference(digest), part, digest };
}

function contentsOf(kind: CollectionKind, tokens: Tokens): Contents | undefined {
  const extension = tokens.extension();
  if (extension === undefined) {
    const contents = tokens.items();
    // A Map can be a MessagePack map too.
    return contents?.isKeyed === (kind !== "list") ? contents : undefined;
  }
  if (kind !== "map" || extension.code !== Ext.MAP) return undefined;
  const contents = tokens.items(extension.start);
  return contents?.isKeyed === false ? contents : undefined;
}

/** Whether an object stands here, and no text, number or other primitive. */
function isObject(tokens: Tokens, at: number): boolean {
  if (tokens.items(at) !== undefined || tokens.isBinary(at)) return true;
  const code = tokens.extension(at)?.code;
  return code !== undefined && code !== Ext.SPECIAL && code !== Ext.BIGINT && code !== Ext.TEXT;
}
