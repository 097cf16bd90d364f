import type { TypeKey } from "./types/definition.ts";

/** Something a caller may want to count or log. Never holds a value's content. */
export type SerdeEvent =
  /** A stored type was not allowed; it was refused or came back inert. */
  | { readonly kind: "blocked"; readonly type: TypeKey; readonly path: string }
  /** Lenient mode stored an object as less than it is: without its class, or some of its fields. */
  | { readonly kind: "flattened"; readonly className: string; readonly path: string }
  /** Lenient mode left a value out. */
  | { readonly kind: "dropped"; readonly className: string; readonly path: string }
  /** An older version of a type was read and turned into the present one. */
  | {
      readonly kind: "migrated";
      readonly type: TypeKey;
      readonly from: number;
      readonly to: number;
      readonly path: string;
    }
  /** A payload of LangGraph.js' stock serializer was read. */
  | { readonly kind: "legacy"; readonly tag: string }
  /** An untracked object was left out of what is stored. */
  | { readonly kind: "untracked"; readonly path: string };

/** Tell a listener; what it throws stays with it. */
export function emit(listener: ((event: SerdeEvent) => void) | undefined, event: SerdeEvent): void {
  if (listener === undefined) return;
  try {
    listener(event);
  } catch {
    // A listener only watches: its failure must not become the failure of a save or load.
  }
}
