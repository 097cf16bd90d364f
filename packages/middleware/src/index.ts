/**
 * State persistence for LangChain.js agents: the middleware.
 *
 * @packageDocumentation
 */
export { privateState, untracked } from "@threadkeep/serde/policy";
export type { PersistenceMode, ScanMode } from "./saver-check.ts";
export { PersistenceError, type PersistenceErrorCode } from "./errors.ts";
export {
  persistence,
  type PersistenceMiddleware,
  type PersistenceOptions,
  type ResourceSchema,
} from "./persistence.ts";
export { resource, type Resource, type ResourceContext, type ResourceOptions } from "./resource.ts";
export type { RuntimeLike } from "./langgraph.ts";
