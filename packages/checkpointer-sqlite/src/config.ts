import { SaverError } from "./errors.ts";
import { kindOf } from "./kind-of.ts";

/** The part of a `RunnableConfig` that savers read. */
export interface ConfigLike {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/** Where a checkpoint lies; without an id, the latest one of its namespace. */
export interface Address {
  readonly threadId: string;
  readonly ns: string;
  readonly checkpointId: string | undefined;
}

/**
 * Refuse a call without a config.
 *
 * @throws {@link SaverError} `invalid_config`
 */
export function requireConfig(config: unknown): asserts config is ConfigLike {
  if (typeof config === "object" && config !== null) return;
  throw new SaverError(
    "invalid_config",
    `The config is ${kindOf(config)}; pass { configurable: { thread_id: "…" } } so that the saver knows whose state this is`,
  );
}

/** Thread, namespace and checkpoint out of a config. */
export function readAddress(config: ConfigLike): Address {
  requireConfig(config);
  const {
    thread_id: threadId,
    checkpoint_ns: ns,
    checkpoint_id: checkpointId,
  } = config.configurable ?? {};
  if (threadId === undefined || threadId === null) {
    throw new SaverError(
      "invalid_config",
      'configurable.thread_id is missing; pass { configurable: { thread_id: "…" } } so that the saver knows whose state this is',
    );
  }
  return {
    threadId: requireId("thread_id", threadId),
    ns: ns === undefined || ns === null ? "" : checkText("checkpoint_ns", ns),
    checkpointId:
      checkpointId === undefined || checkpointId === null || checkpointId === ""
        ? undefined
        : requireId("checkpoint_id", checkpointId),
  };
}

/** {@link readAddress} where a config without a thread finds nothing, as LangGraph's savers have it. */
export function findAddress(config: ConfigLike): Address | undefined {
  requireConfig(config);
  const threadId = config.configurable?.thread_id;
  return threadId === undefined ? undefined : readAddress(config);
}

/** {@link readAddress} of one certain checkpoint. */
export function readCheckpointAddress(
  config: ConfigLike,
): Address & { readonly checkpointId: string } {
  const address = readAddress(config);
  if (address.checkpointId === undefined) {
    throw new SaverError(
      "invalid_config",
      "configurable.checkpoint_id is missing; writes belong to one checkpoint",
    );
  }
  return { ...address, checkpointId: address.checkpointId };
}

/** The config under which a checkpoint is found again. */
export function toConfig(
  threadId: string,
  ns: string,
  checkpointId: string,
): {
  configurable: { thread_id: string; checkpoint_ns: string; checkpoint_id: string };
} {
  return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: checkpointId } };
}

const MAX_ID = 2048;

/** An id: text that every driver gives back as it was, and not empty. */
export function requireId(name: string, value: unknown): string {
  const text = checkText(name, value);
  if (text === "") throw new SaverError("invalid_config", `${name} is empty`);
  return text;
}

/** Text that every driver gives back as it was: some cut at NUL, and UTF-8 has no lone surrogates. */
export function checkText(name: string, value: unknown): string {
  if (typeof value !== "string") {
    throw new SaverError("invalid_config", `${name} must be a string, not ${kindOf(value)}`);
  }
  if (value.length > MAX_ID)
    throw new SaverError("invalid_config", `${name} is longer than ${MAX_ID} characters`);
  if (value.includes("\0") || !(value as string & { isWellFormed(): boolean }).isWellFormed()) {
    throw new SaverError(
      "invalid_config",
      `${name} holds a NUL character or half of a surrogate pair`,
    );
  }
  return value;
}
