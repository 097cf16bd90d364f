/** Why the middleware could not do what was asked. The codes are stable; messages may change. */
export type PersistenceErrorCode =
  /** Wrong options. */
  | "invalid_options"
  /** A resource was asked for outside of a thread: the run's config has no `thread_id`. */
  | "no_thread"
  /** A state field of another's has a resource's key. */
  | "key_clash"
  /** The run's saver would store live objects. */
  | "unsupported_saver"
  /** A resource's `create` threw, or gave back nothing. */
  | "create_failed"
  /** A resource's `dispose` threw. */
  | "dispose_failed";

const BRAND = Symbol.for("threadkeep.middleware.error");

/**
 * Thrown by the middleware and its resources.
 *
 * @example
 * ```ts
 * try {
 *   resource({ key: "", create: () => connect() });
 * } catch (error) {
 *   PersistenceError.is(error) && error.code; // "invalid_options"
 * }
 * ```
 */
export class PersistenceError extends Error {
  override readonly name: string = "PersistenceError";
  readonly code: PersistenceErrorCode;

  constructor(code: PersistenceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static is(value: unknown): value is PersistenceError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
