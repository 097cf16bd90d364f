import type { ChannelVersions, Checkpoint, PendingWrite } from "@langchain/langgraph-checkpoint";
import { SaverError } from "./errors.ts";
import { kindOf } from "./kind-of.ts";

/**
 * Refuse what is no checkpoint, or has versions that are none.
 *
 * @throws {@link SaverError} `invalid_options`
 */
export function requireCheckpoint(checkpoint: Checkpoint, newVersions: ChannelVersions): void {
  requireRecord("The checkpoint", checkpoint);
  requireRecord("The checkpoint's channel_values", checkpoint.channel_values);
  requireRecord("newVersions", newVersions);
  for (const [name, versions] of [
    ["The checkpoint's channel_versions", checkpoint.channel_versions],
    ["newVersions", newVersions],
  ] as const) {
    requireRecord(name, versions);
    for (const [channel, version] of Object.entries(versions) as [string, unknown][]) {
      if (version === undefined || typeof version === "number" || typeof version === "string")
        continue;
      throw new SaverError(
        "invalid_options",
        `The version of channel ${JSON.stringify(channel)} must be a number or a string, not ${kindOf(version)}`,
      );
    }
  }
}

/** Refuse what is no list of channels and values. */
export function requireWrites(writes: readonly PendingWrite[]): void {
  if (!Array.isArray(writes))
    throw new SaverError("invalid_options", `The writes must be a list, not ${kindOf(writes)}`);
  for (const write of writes as readonly unknown[]) {
    if (Array.isArray(write)) continue;
    throw new SaverError(
      "invalid_options",
      `A write must be a pair of channel and value, not ${kindOf(write)}`,
    );
  }
}

/** Refuse what is no object. */
export function requireRecord(what: string, value: unknown): void {
  if (typeof value === "object" && value !== null) return;
  throw new SaverError("invalid_options", `${what} must be an object, not ${kindOf(value)}`);
}
