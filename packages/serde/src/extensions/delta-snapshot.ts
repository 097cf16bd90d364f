import { buildDeltaSnapshot } from "../langgraph.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

/** The snapshot that a `DeltaChannel` stores now and then in place of its value. */
export function dumpDeltaSnapshot(value: object, writer: ValueWriter): void {
  writer.begin(Ext.DELTA_SNAPSHOT);
  writer.child("value", (value as { value: unknown }).value);
  writer.end();
}

export function raiseDeltaSnapshot(reader: ValueReader): object {
  const snapshot = reader.enter(buildDeltaSnapshot());
  snapshot.value = reader.child("value");
  return snapshot;
}
