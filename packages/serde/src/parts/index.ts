/**
 * What a saver needs that keeps parts of values on their own.
 *
 * @packageDocumentation
 */
export { holdsDocument } from "../wire.ts";
export { Snapshot } from "./snapshot.ts";
