/**
 * What a saver needs that keeps parts of values on their own.
 *
 * @packageDocumentation
 */
export { holdsDocument } from "../wire.ts";
export { Layouts } from "./layout.ts";
export { ListSnapshot } from "./list-snapshot.ts";
export type { SnapshotOptions } from "./gather.ts";
export { Snapshot } from "./snapshot.ts";
