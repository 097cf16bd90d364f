/**
 * State persistence for LangGraph.js and LangChain.js agents: the serializer.
 *
 * @packageDocumentation
 */
export { SerdeError, type Problem, type SerdeErrorCode } from "./errors.ts";
export type { SerdeEvent } from "./events.ts";
export { InertValue, isInert } from "./inert.ts";
export type { Limits } from "./limits.ts";
export type { Mode, SerializerOptions } from "./options.ts";
export type { OnBlocked } from "./read/value-reader.ts";
export { NonSerializableStateError } from "./scanner/error.ts";
export type { ScanCode } from "./scanner/kinds.ts";
export {
  assertSerializable,
  scan,
  type ScanOptions,
  type ScanProblem,
  type ScanProfile,
} from "./scanner/scan.ts";
export { MsgpackSerializer, type WriteHooks } from "./serializer.ts";
export {
  type AnyClass,
  type DefinedType,
  defineType,
  type TypeDefinition,
  type TypeDescription,
  type TypeKey,
} from "./types/definition.ts";
export { collectTypes, type CollectedType } from "./schemas/collect-types.ts";
export { TYPE } from "./types/description.ts";
export type { Types } from "./types/normalize.ts";
export type { StorableState } from "./types/storable.ts";
export type { Migrations } from "./types/versions.ts";
export { Ext } from "./wire.ts";
export type { Cutter } from "./write/cutter.ts";
export type { Written } from "./write/write-document.ts";
