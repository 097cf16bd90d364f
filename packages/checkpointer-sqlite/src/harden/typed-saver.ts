import { MsgpackSerializer, SerdeError, type Types } from "@threadkeep/serde";
import { SaverError } from "../errors.ts";
import { type AnySaver, isThreadkeepSaver, type ThreadkeepSaver } from "../saver-protocol.ts";
import { wrapSaver } from "../wrap-saver.ts";
import { PolicySaver } from "./policy-saver.ts";

/**
 * The saver of this package that a hardened graph works with over this one.
 *
 * @throws {@link SaverError} `unsupported`
 */
export function ownSaver(base: AnySaver): ThreadkeepSaver {
  const own = isThreadkeepSaver(base) ? base : wrapSaver(base);
  if (MsgpackSerializer.is(own.serde)) return own;
  throw new SaverError(
    "unsupported",
    "This saver was given a serializer that is not a MsgpackSerializer, so nothing says what it stores or revives; leave serde out, or pass one",
  );
}

/**
 * Refuse types that contradict each other, or what a graph's saver knows.
 *
 * @throws {@link SaverError} `invalid_options`, `unsupported`
 */
export function assertTypesFit(saver: unknown, types: readonly Types[]): void {
  let serializer = serializerOf(saver);
  aboutTypes(() => {
    for (const more of types) serializer = serializer.withAllowlist(more);
  });
}

/** What the serializer has against given types, as an error of this package. */
export function aboutTypes<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!SerdeError.is(error)) throw error;
    throw new SaverError("invalid_options", `types: ${error.message}`, { cause: error });
  }
}

function serializerOf(saver: unknown): MsgpackSerializer {
  if (typeof saver !== "object" || saver === null) return new MsgpackSerializer();
  const base = PolicySaver.is(saver) ? saver.base : (saver as AnySaver);
  return ownSaver(base).serde as MsgpackSerializer;
}
