import { HOLE, type ValueReader } from "./value-reader.ts";
import { Special } from "../wire.ts";

/** Values without content: `undefined`, holes, and the place of something untracked. */
export function raiseSpecial(body: Uint8Array, reader: ValueReader): unknown {
  if (body.length !== 1) throw reader.malformed("a special value of the wrong length");
  switch (body[0]) {
    case Special.UNDEFINED:
    case Special.UNTRACKED:
      return undefined;
    case Special.HOLE:
      return HOLE;
    default:
      throw reader.malformed("an unknown special value");
  }
}
