import type { MsgpackSerializer } from "@threadkeep/serde";
import type { NamedPart, Part } from "./part.ts";
import type { LearnedBatch } from "./part-collector.ts";
import type { SharedObjects } from "./shared-objects.ts";
import type { ThreadElements } from "./thread-elements.ts";

/** A value as it is stored: a document, and the parts that it refers to. */
export interface PartedValue {
  readonly root: Uint8Array;
  readonly parts: readonly NamedPart[];
  /** Where live elements lie once all of it is stored. */
  readonly batches: readonly LearnedBatch[];
}

/** What the cutting of values rests on. */
export interface PartContext {
  readonly serializer: MsgpackSerializer;
  /** The digest under which a part is stored. */
  readonly name: (part: Part) => Uint8Array;
  readonly shared: SharedObjects;
  /** What is known of the thread to store in, and its generation; undefined for a new one. */
  readonly known: { readonly elements: ThreadElements; readonly generation: number } | undefined;
}
