/** What did not survive. The codes are stable; messages may change. */
export type PersistenceTestErrorCode =
  /** The run ended without an interrupt. */
  | "not_interrupted"
  /** A value of the run could not be stored. */
  | "not_stored"
  /** A value came back as another one. */
  | "changed"
  /** The state waits for other nodes than expected. */
  | "wrong_next"
  /** Messages of before the interrupt are not there after it. */
  | "history_lost"
  /** Bytes of untracked state are in the storage. */
  | "untracked_stored"
  /** The resumed run failed. */
  | "resume_failed"
  /** Wrong options. */
  | "invalid_options";

const BRAND = Symbol.for("threadkeep.middleware.test-error");

/**
 * Thrown by {@link interruptAndResume} with every place that did not survive, by its key path.
 *
 * @example
 * ```ts
 * await interruptAndResume({ build, open, input }).catch((error) => {
 *   PersistenceTestError.is(error) && error.paths; // ["order.due"]
 * });
 * ```
 */
export class PersistenceTestError extends Error {
  override readonly name: string = "PersistenceTestError";
  readonly code: PersistenceTestErrorCode;
  /** Key paths of the places; empty when it is not about a place. */
  readonly paths: readonly string[];

  constructor(
    code: PersistenceTestErrorCode,
    message: string,
    paths: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.paths = paths;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static is(value: unknown): value is PersistenceTestError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
