import { binaryState, messages, plainMessages, richState, smallState } from "./fixtures.ts";

/** What is measured, by its name in the report. */
export const values: Readonly<Record<string, () => unknown>> = {
  "2,000 live messages": () => messages(2_000),
  "20 live messages": () => messages(20),
  "2,000 messages as plain data": () => plainMessages(2_000),
  "1 MB binary state": () => binaryState(),
  "rich state": () => richState(),
  "1 kB state": () => smallState(),
};
