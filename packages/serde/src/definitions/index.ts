/**
 * Ready-made definitions for classes that people keep in state. Each takes the class itself, so that
 * none of the packages they come from is needed by those who don't use them.
 *
 * @packageDocumentation
 */
export { dateTime, type DateTimeClass } from "./date-time.ts";
export { decimal, type DecimalClass } from "./decimal.ts";
export { objectId, type ObjectIdClass } from "./object-id.ts";
export { temporal, type TemporalClass, type TemporalClasses } from "./temporal.ts";
