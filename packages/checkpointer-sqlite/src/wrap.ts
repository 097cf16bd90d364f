/**
 * Threadkeep over other savers, without any native module.
 *
 * @packageDocumentation
 */
export { SaverError, type SaverErrorCode } from "./errors.ts";
export { type AllowlistOptions, withAllowlist } from "./harden/with-allowlist.ts";
export type { ScanMode } from "./harden/state-scan.ts";
export type { AnySaver, ThreadkeepSaver } from "./saver-protocol.ts";
export { wrapSaver, type WrapSaverOptions } from "./wrap-saver.ts";
