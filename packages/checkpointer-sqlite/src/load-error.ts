import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { SerdeError } from "@threadkeep/serde";
import { formatPath } from "@threadkeep/serde/policy";

/** A channel's value of a checkpoint. */
export interface LoadPlace {
  readonly threadId: unknown;
  readonly ns: unknown;
  /** Empty where the value is asked for by its version. */
  readonly checkpointId: unknown;
  readonly channel: string;
}

/** Run `work`; what a serializer refuses is told with the place. */
export function placing<T>(place: () => LoadPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw placed(error, place());
  }
}

/** The place of a channel in what was loaded. */
export function placeIn({ config, checkpoint }: CheckpointTuple, channel: string): LoadPlace {
  const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
  return { threadId, ns, checkpointId: checkpoint.id, channel };
}

/**
 * A serializer's error with the place of what it refused: the path begins with the channel, the
 * message names thread and checkpoint. Any other error is given back as it is.
 */
export function placed(error: unknown, { channel, ...where }: LoadPlace): unknown {
  if (!SerdeError.is(error)) return error;
  const [first, ...others] = error.problems.map((problem) => ({
    ...problem,
    path: below(channel, problem.path),
    message: `${problem.message} (${describePlace(where)})`,
  }));
  if (first === undefined) return error;
  // The cause is what a class's own `load` threw.
  const options = error.cause === undefined ? undefined : { cause: error.cause };
  return new SerdeError([first, ...others], options);
}

/** `order` and `lines[0]` are `order.lines[0]`. */
function below(channel: string, path: string): string {
  const name = formatPath([channel]);
  if (path === "" || path.startsWith("[")) return name + path;
  return /^[A-Z]\w*\(/.test(path) ? `${name} → ${path}` : `${name}.${path}`;
}

/** Thread, namespace and checkpoint, for messages. */
export function describePlace({ threadId, ns, checkpointId }: Omit<LoadPlace, "channel">): string {
  const parts = [`thread ${JSON.stringify(threadId)}`];
  if (typeof ns === "string" && ns !== "") parts.push(`namespace ${JSON.stringify(ns)}`);
  if (typeof checkpointId === "string" && checkpointId !== "")
    parts.push(`checkpoint ${checkpointId}`);
  return parts.join(", ");
}
