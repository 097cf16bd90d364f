import { SerdeError } from "../errors.ts";
import { Reader } from "./reader.ts";
import type { ReadContext } from "./read-context.ts";

/**
 * The value of a whole document.
 *
 * @throws {@link SerdeError}, and what `context.part` throws as it is.
 */
export function readDocument(bytes: Uint8Array, context: ReadContext): unknown {
  let ofPart: unknown;
  const { part } = context;
  const guarded =
    part === undefined
      ? context
      : {
          ...context,
          part: (digest: Uint8Array): unknown => {
            try {
              return part(digest);
            } catch (error) {
              ofPart = error;
              throw error;
            }
          },
        };
  try {
    return new Reader(bytes, guarded).read();
  } catch (error) {
    if (SerdeError.is(error) || (ofPart !== undefined && error === ofPart)) throw error;
    throw explain(error);
  }
}

/** What the engine itself has to say: a text too long for it, a stack that is too small. */
function explain(cause: unknown): SerdeError {
  const deep = cause instanceof RangeError && /call stack/i.test(cause.message);
  return new SerdeError(
    {
      code: deep ? "limit_exceeded" : "malformed_payload",
      path: "",
      message: deep
        ? "The payload is nested deeper than the stack allows here; lower limits.maxDepth, or call from less deep"
        : "Not a readable payload: the engine refused what it holds",
    },
    { cause },
  );
}
