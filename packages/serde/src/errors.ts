/** Why a value could not be written or read. The codes are stable; messages may change. */
export type SerdeErrorCode =
  /** A function, symbol, promise, stream, …: nothing could bring it back. */
  | "unsupported_type"
  /** An instance of a class that is not in `types`. */
  | "unregistered_class"
  /** A cycle runs through a class with its own `load`, which needs its fields complete. */
  | "circular_type"
  /** The value or payload is larger, deeper or has more items than `limits` allows. */
  | "limit_exceeded"
  /** A class's own `dump` threw, or gave back what can't be stored. */
  | "dump_failed"
  /** With `verifyOnWrite`: what was written does not read back as the same. */
  | "verify_failed"
  /** A class's own `load` or `migrate` threw, or did not give back an instance. */
  | "load_failed"
  /** The payload holds a type that is not allowed here. */
  | "type_not_allowed"
  /** The payload holds a type in a version that is newer than the one known here. */
  | "newer_version"
  /** The bytes are not a payload, or are damaged. */
  | "malformed_payload"
  /** The payload's type tag is not one this serializer reads. */
  | "unknown_tag"
  /** Wrong options, or two definitions that contradict each other. */
  | "invalid_options";

/** One place in a value that could not be written. */
export interface Problem {
  readonly code: SerdeErrorCode;
  /** Where: `messages[3].artifact.handle`; empty for the value itself. */
  readonly path: string;
  /** What is there and what to do about it; never the value's content. */
  readonly message: string;
  /** Name of the class, when an instance is the problem. */
  readonly className?: string;
}

// Through the global registry, so that the ESM and CommonJS builds, or two installed versions,
// recognise each other's errors.
const BRAND = Symbol.for("threadkeep.serde.error");
const SHOWN = 10;
/** Paths beyond this length show their ends in messages. */
const LONG = 240;

/**
 * Thrown when a value can't be written exactly, or a payload can't be read.
 *
 * `code`, `path` and `message` are those of the first problem; `problems` lists them all.
 *
 * @example
 * ```ts
 * try {
 *   new MsgpackSerializer().dumps({ deep: [{ fn: () => 1 }] });
 * } catch (error) {
 *   SerdeError.is(error) && error.path; // "deep[0].fn"
 * }
 * ```
 */
export class SerdeError extends Error {
  override readonly name: string = "SerdeError";
  readonly code: SerdeErrorCode;
  /** Where in the value the first problem sits; empty for the value itself. */
  readonly path: string;
  readonly problems: readonly Problem[];

  constructor(problems: Problem | readonly [Problem, ...Problem[]], options?: ErrorOptions) {
    const all = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    const first = all[0] as Problem;
    super(describe(all), options);
    this.code = first.code;
    this.path = first.path;
    this.problems = all;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static is(value: unknown): value is SerdeError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** The error for wrong options. */
export function invalidOptions(message: string): SerdeError {
  return new SerdeError({ code: "invalid_options", path: "", message });
}

function describe(problems: readonly Problem[]): string {
  if (problems.length === 1) return line(problems[0] as Problem);
  const shown = problems.slice(0, SHOWN).map((problem) => `  - ${line(problem)}`);
  const more = problems.length > SHOWN ? [`  … and ${problems.length - SHOWN} more`] : [];
  return [`${problems.length} values can't be stored:`, ...shown, ...more].join("\n");
}

function line({ path, message }: Problem): string {
  return path === "" ? message : `${shortened(path)}: ${message}`;
}

/** A path for people; `error.path` has all of it. */
function shortened(path: string): string {
  return path.length <= LONG ? path : `${path.slice(0, LONG / 2)} … ${path.slice(-LONG / 2)}`;
}
