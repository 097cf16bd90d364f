/**
 * What may be stored of a state: the marks that fields carry, and how values are stripped by them.
 * For savers and middleware; users meet `untracked` through the middleware package.
 *
 * @packageDocumentation
 */
export { type FieldMark, markOf, untracked } from "./marker.ts";
export { RESOURCE_HOST, type ResourceHost, resourceHostOf } from "./resource-host.ts";
export { LiveObjects, type StatePolicy } from "./state-policy.ts";
export { stripValues, stripWrites } from "./strip.ts";
