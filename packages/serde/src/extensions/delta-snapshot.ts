import { buildDeltaSnapshot } from "../langgraph.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";

/** The snapshot that a `DeltaChannel` stores now and then in place of its value. */
export function dumpDeltaSnapshot(value: object, writer: Writer): void {
  writer.document(Ext.DELTA_SNAPSHOT, () =>
    writer.child("value", (value as { value: unknown }).value),
  );
}

export function raiseDeltaSnapshot(body: unknown, reader: Reader): object {
  const snapshot = reader.enter(buildDeltaSnapshot());
  snapshot.value = reader.child("value", body);
  return snapshot;
}
