/**
 * State persistence for LangGraph.js and LangChain.js agents: savers, and what hardens a graph.
 *
 * @packageDocumentation
 */
export { privateState, untracked } from "@threadkeep/serde/policy";
export type { SealContext, StorageCodec } from "./codec.ts";
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./database.ts";
export type { StateVersion } from "./drift/state-drift.ts";
export type { StateChanges, StatePart, StateRecord, StateStep } from "./drift/steps.ts";
export { InvalidStateError, SaverError, type SaverErrorCode, type StateIssue } from "./errors.ts";
export type { AllowlistOptions } from "./harden/allowlist-options.ts";
export { withAllowlist } from "./harden/with-allowlist.ts";
export type { ScanMode } from "./harden/state-scan.ts";
export type { ChannelVersion } from "./next-version.ts";
export type { AnySaver, ThreadkeepSaver } from "./saver-protocol.ts";
export { SqliteSaver, type SqliteSaverOptions, type SqliteStorageOptions } from "./sqlite-saver.ts";
export { wrapSaver, type WrapSaverOptions } from "./wrap-saver.ts";
