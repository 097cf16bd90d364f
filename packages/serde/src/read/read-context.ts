import type { RaiseContext } from "../extensions/value-reader.ts";
import type { TextCache } from "./text-cache.ts";

/** What the reading of one payload is given. */
export interface ReadContext extends RaiseContext {
  readonly texts: TextCache;
}
