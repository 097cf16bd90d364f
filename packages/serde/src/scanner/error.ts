const BRAND = Symbol.for("threadkeep.serde.non-serializable-state");
const SHOWN = 10;

/**
 * Thrown for state that can't be stored: `problems` lists every place with what to do about it.
 *
 * @example
 * ```ts
 * try {
 *   assertSerializable({ onDone: () => 1 });
 * } catch (error) {
 *   NonSerializableStateError.is(error) && error.problems[0].path; // "onDone"
 * }
 * ```
 */
import type { ScanProblem } from "./scan-problem.ts";
export class NonSerializableStateError extends Error {
  override readonly name: string = "NonSerializableStateError";
  readonly code = "non_serializable_state";
  /** Where the first problem sits; empty for the value itself. */
  readonly path: string;
  readonly problems: readonly [ScanProblem, ...ScanProblem[]];
  /** Who made the value, where that is known: `node "plan"`, `tool "search"`. */
  readonly source: string | undefined;

  constructor(problems: readonly [ScanProblem, ...ScanProblem[]], source?: string) {
    super(describe(problems, source));
    this.path = problems[0].path;
    this.problems = problems;
    this.source = source;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static is(value: unknown): value is NonSerializableStateError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** One problem as a line: where, what, and what to do. */
export function describeProblem({ path, message, conversion }: ScanProblem): string {
  const advice = conversion === "" ? "" : `; ${conversion}`;
  return `${path === "" ? "" : `${path}: `}${message}${advice}`;
}

function describe(problems: readonly ScanProblem[], source: string | undefined): string {
  const who = source === undefined ? "" : `${source} made state that can't be stored: `;
  if (problems.length === 1) return who + describeProblem(problems[0] as ScanProblem);
  const shown = problems.slice(0, SHOWN).map((problem) => `  - ${describeProblem(problem)}`);
  const more = problems.length > SHOWN ? [`  … and ${problems.length - SHOWN} more`] : [];
  return [`${who}${problems.length} values can't be stored:`, ...shown, ...more].join("\n");
}
