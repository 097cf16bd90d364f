import { SerdeError, invalidOptions } from "./errors.ts";

/** Bounds on what is written and read, the same both ways. */
export interface Limits {
  /** Size of one payload in bytes. @defaultValue 256 MiB */
  readonly maxBytes: number;
  /** Nesting of values. @defaultValue 500 */
  readonly maxDepth: number;
  /** Number of values in one payload, array holes included. @defaultValue 20 million */
  readonly maxItems: number;
  /**
   * Numeric keys in one `Map` or numbers in one `Set`. Keys can be chosen so that V8's hash for
   * numbers collides, which makes building the collection quadratic. @defaultValue 16384
   */
  readonly maxNumericKeys: number;
}

const DEFAULT_LIMITS: Limits = Object.freeze({
  maxBytes: 256 * 1024 * 1024,
  maxDepth: 500,
  maxItems: 20_000_000,
  maxNumericKeys: 16_384,
});

/** Fill in defaults; refuse names and values that would quietly remove a bound. */
export function resolveLimits(limits: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw invalidOptions(
        `limits.${name} does not exist; known: ${Object.keys(DEFAULT_LIMITS).join(", ")}`,
      );
    }
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw invalidOptions(`limits.${name} must be a positive integer`);
    }
  }
  const given = Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  );
  return Object.freeze({ ...DEFAULT_LIMITS, ...given });
}

/** The error for a bound that was passed. */
export function limitExceeded(
  name: keyof Limits,
  found: string,
  limits: Limits,
  path = "",
): SerdeError {
  return new SerdeError({
    code: "limit_exceeded",
    path,
    message: `${found}; limits.${name} is ${limits[name]}. Raise it if this is expected.`,
  });
}
