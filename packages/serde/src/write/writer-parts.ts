import type { Limits } from "../limits.ts";
import type { PathStep } from "../path.ts";
import type { DocumentBlocks } from "./block-list.ts";
import type { Cutter } from "./cutter.ts";
import type { DumpTable } from "./dump-table.ts";
import type { KeyLists } from "./key-lists.ts";
import type { Losses } from "./losses.ts";
import type { Sink } from "./sink.ts";

/** What one walk is given. */
export interface WriterParts {
  readonly sink: Sink;
  readonly limits: Limits;
  readonly table: DumpTable;
  readonly keyLists: KeyLists;
  readonly losses: Losses;
  /** The first steps of every path. */
  readonly at: readonly PathStep[];
  /** Whether an object or function has to be left out. */
  readonly omits: ((value: object) => boolean) | undefined;
  /** Told of each place that was left out, once. */
  readonly omitted: ((path: string) => void) | undefined;
  readonly cutter: Cutter | undefined;
  /** Pieces of long lists that were written before; none where a place may be left out or cut. */
  readonly blocks?: DocumentBlocks | undefined;
}
