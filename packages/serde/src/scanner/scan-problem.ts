import type { ScanCode } from "../kinds/kinds.ts";

/** One place in a value that its profile does not keep. */
export interface ScanProblem {
  /** Where: `messages[3].artifact.handle`; empty for the value itself. */
  readonly path: string;
  /** The class, or what stands for one: `Money`, `Function`, `NaN`, `undefined`. */
  readonly type: string;
  /** Stable, for programs. */
  readonly code: ScanCode;
  /** What is there; never its content. */
  readonly message: string;
  /** What to store instead, or what to change. */
  readonly conversion: string;
}
