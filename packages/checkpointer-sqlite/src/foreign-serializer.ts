import { SerdeError } from "@threadkeep/serde";
import { SaverError } from "./errors.ts";
import { describePlace, type LoadPlace, placed } from "./load-error.ts";

/**
 * What another serializer threw, with the place of the value. What has a code keeps it; anything else
 * is the cause of an error that has one.
 */
export function serializerError(error: unknown, doing: "load" | "store", at: LoadPlace): unknown {
  if (SerdeError.is(error)) return placed(error, at);
  if (SaverError.is(error)) return error;
  return new SaverError(
    "unsupported",
    `The serializer that this saver was given can't ${doing} channel ${JSON.stringify(at.channel)} (${describePlace(at)}); see the cause for what it threw`,
    { cause: error },
  );
}

/**
 * What is begun at once and asked for later: a failure is told to whoever asks, and is no unhandled
 * rejection when nobody does because something else failed first.
 */
export function begin<T>(work: () => Promise<T>): Promise<T> {
  const promise = work();
  promise.catch(() => {});
  return promise;
}

/** The results once all are done, failed ones too; the first failure, in their order, is thrown then. */
export async function settle<T>(begun: readonly (T | Promise<T>)[]): Promise<T[]> {
  const settled = await Promise.allSettled(begun);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value as T;
  });
}
