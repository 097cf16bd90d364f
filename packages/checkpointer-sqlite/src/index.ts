/**
 * State persistence for LangGraph.js and LangChain.js agents: savers.
 *
 * @packageDocumentation
 */
export type { SqliteDatabase, SqliteStatement, SqliteValue } from "./database.ts";
export { SaverError, type SaverErrorCode } from "./errors.ts";
export type { ChannelVersion } from "./next-version.ts";
export { SqliteSaver, type SqliteSaverOptions } from "./sqlite-saver.ts";
