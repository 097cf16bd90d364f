/**
 * What may be stored of a state: the marks that fields carry, and how values are stripped by them.
 * For savers and middleware; users meet `untracked` and `privateState` through those packages.
 *
 * @packageDocumentation
 */
export { type AsideName, Place } from "../place.ts";
export { formatPath } from "../path.ts";
export { describeProblem } from "../scanner/error.ts";
export { findProblems } from "../scanner/scan.ts";
export { isDataField } from "./data-field.ts";
export { type AnnotatedField, privateState, untracked, type Zod3Schema } from "./marker.ts";
export { type FieldMark, markOf, nestedMarkOf } from "../schemas/read-marks.ts";
export {
  adoptHost,
  joinHosts,
  offerAdoption,
  RESOURCE_HOST,
  type ResourceHost,
  resourceHostOf,
} from "./resource-host.ts";
export { ASIDE, type Loaded, restoreSends } from "./restore-sends.ts";
export { mapSends, type SendLike, sendsIn, withArgs } from "./send-values.ts";
export { learnFromSends, type Nearby, storeSends } from "./sends.ts";
export { type SchemaIssue, type ValueCheck, valueCheck } from "../schemas/check-value.ts";
export { nearestName, optionsProblem } from "../options-problem.ts";
export { defaultOf } from "../schemas/field-default.ts";
export { TASKS } from "../langgraph.ts";
export { withDerivedTypes } from "../schemas/derived-types.ts";
export { LiveObjects, type StatePolicy } from "./state-policy.ts";
export { stripValues, stripWrites } from "./strip.ts";
