/**
 * A test harness for graphs that stop for a human: what they store is what they get back.
 *
 * @packageDocumentation
 */
export {
  interruptAndResume,
  type InterruptAndResumeOptions,
  type InterruptAndResumeResult,
  type TestedGraph,
} from "./testing/interrupt-and-resume.ts";
export { PersistenceTestError, type PersistenceTestErrorCode } from "./testing/errors.ts";
export type { ResumeProcess } from "./testing/resume-process.ts";
