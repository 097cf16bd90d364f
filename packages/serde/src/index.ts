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
export type { OnBlocked } from "./extensions/value-reader.ts";
export { NonSerializableStateError } from "./scanner/error.ts";
export type { ScanCode } from "./kinds/kinds.ts";
export { assertSerializable, scan, type ScanOptions, type ScanProfile } from "./scanner/scan.ts";
export type { Omit } from "./omit.ts";
export { MsgpackSerializer, type WriteHooks } from "./serializer.ts";
export {
  type DefinedType,
  defineType,
  type TypeDefinition,
  type TypeDescription,
  type TypeKey,
} from "./types/definition.ts";
export { collectTypes } from "./schemas/collect-types.ts";
export { TYPE } from "./types/description.ts";
export type { Types } from "./types/normalize.ts";
export type { StorableState } from "./types/storable.ts";
export type { Migrations } from "./types/versions.ts";
export { Ext } from "./wire.ts";
export type { Cutter } from "./write/cutter.ts";
export type { Written } from "./write/write-document.ts";
export type { ScanProblem } from "./scanner/scan-problem.ts";
export type { AnyClass } from "./types/any-class.ts";
export type { CollectedType } from "./types/collected-type.ts";
