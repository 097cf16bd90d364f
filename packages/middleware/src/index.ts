/**
 * State persistence for LangChain.js agents: the middleware.
 *
 * @packageDocumentation
 */
export { privateState, untracked } from "@threadkeep/serde/policy";
export { MiddlewareError, type MiddlewareErrorCode } from "./errors.ts";
export {
  persistence,
  type PersistenceMiddleware,
  type PersistenceMode,
  type PersistenceOptions,
  type ResourceSchema,
} from "./persistence.ts";
export {
  resource,
  type Resource,
  type ResourceContext,
  type ResourceOptions,
  type RuntimeLike,
} from "./resource.ts";
