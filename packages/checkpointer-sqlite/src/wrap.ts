/**
 * Threadkeep over other savers, without any native module.
 *
 * @packageDocumentation
 */
export { privateState, untracked } from "@threadkeep/serde/policy";
export type { StateVersion } from "./drift/state-drift.ts";
export type { StateChanges, StatePart, StateRecord, StateStep } from "./drift/steps.ts";
export { InvalidStateError, SaverError, type SaverErrorCode, type StateIssue } from "./errors.ts";
export type { AllowlistOptions } from "./harden/allowlist-options.ts";
export { withAllowlist } from "./harden/with-allowlist.ts";
export type { ScanMode } from "./harden/state-scan.ts";
export type { AnySaver, ThreadkeepSaver } from "./saver-protocol.ts";
export { wrapSaver, type WrapSaverOptions } from "./wrap-saver.ts";
