import { Ext } from "@threadkeep/serde";
import { BIG_TEXT } from "./opens.ts";
import type { Part } from "./part.ts";
import type { CollectionKind } from "./pieces.ts";
import { Slot } from "./slot.ts";
import { type Contents, Tokens } from "./tokens.ts";

/**
 * The items of a collection's document: the objects that were put there, in order, and between them
 * what the serializer wrote itself. Undefined for a document of another form.
 */
export function slotsOf(
  kind: CollectionKind,
  document: Uint8Array,
  items: readonly Slot[],
  nameOf: (part: Part) => Uint8Array,
): readonly Slot[] | undefined {
  const tokens = new Tokens(document);
  const contents = contentsOf(kind, tokens);
  if (contents === undefined) return undefined;
  if (kind === "list" && contents.count === items.length) return items;
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
    let slot = isObject(tokens, start) ? items[next++] : undefined;
    if (slot === undefined) {
      const isBig = tokens.textLength(start) >= BIG_TEXT;
      slot = Slot.ofPrimitive(document.slice(start, at), isBig ? nameOf : undefined);
    }
    slot.key = key;
    slot.name = name;
    slots.push(slot);
  }
  return next === items.length ? slots : undefined;
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
