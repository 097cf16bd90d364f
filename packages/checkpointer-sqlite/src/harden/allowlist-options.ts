import type { Types } from "@threadkeep/serde";
import { checkOptions } from "../check-options.ts";
import type { StateVersion } from "../drift/state-drift.ts";
import { SaverError } from "../errors.ts";
import { kindOf } from "../kind-of.ts";
import { isScanMode, type ScanMode } from "./state-scan.ts";

/** Options of {@link withAllowlist}. */
export interface AllowlistOptions {
  /**
   * Classes that the graph's state may hold, besides those that the saver's serializer knows and
   * those that the graph's schemas name and that describe themselves under `TYPE`.
   * @defaultValue none
   */
  readonly types?: Types;
  /** State fields that are never stored, besides those that are marked so. @defaultValue none */
  readonly untracked?: readonly string[];
  /** State fields that no stored `Send` carries, besides those that are marked so. @defaultValue none */
  readonly private?: readonly string[];
  /** Live objects of a thread that nodes find in the state, for graphs without the middleware. @defaultValue none */
  readonly resources?: readonly object[];
  /**
   * Look at what each node wrote for values that can't be stored, and warn once for each place, or
   * fail the step that made them. It costs about what storing them costs, a second time.
   * @defaultValue the strictest that a middleware asks for, else `"off"`
   */
  readonly scan?: ScanMode;
  /**
   * The version of the graph's own state, and the steps from older ones: checkpoints, pending writes
   * and waiting Sends of an older version become the present one when they are loaded.
   * @defaultValue version 1
   */
  readonly state?: StateVersion;
  /** Check each loaded field by its schema. @defaultValue false */
  readonly validate?: boolean;
}

const KNOWN = ["types", "untracked", "private", "resources", "scan", "state", "validate"];
const ELSEWHERE = { allowlist: "types", classes: "types", migrate: "state", version: "state" };

/**
 * Refuse options that would do less than they seem to.
 *
 * @throws {@link SaverError} `invalid_options`
 */
export function checkAllowlistOptions(options: unknown): asserts options is AllowlistOptions {
  checkOptions("withAllowlist", options, KNOWN, ELSEWHERE);
  const {
    types,
    untracked,
    private: own,
    resources,
    scan,
    validate,
  } = options as Record<string, unknown>;
  if (types !== undefined && (typeof types !== "object" || types === null))
    throw wrong("types", "a record or list of classes", types);
  for (const [name, value] of Object.entries({ untracked, private: own })) {
    if (value === undefined) continue;
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
      throw wrong(name, "a list of names of state fields", value);
  }
  if (resources !== undefined && !Array.isArray(resources))
    throw wrong("resources", "a list of what resource() gives", resources);
  if (scan !== undefined && !isScanMode(scan))
    throw wrong("scan", '"off", "warn" or "throw"', scan);
  if (validate !== undefined && typeof validate !== "boolean")
    throw wrong("validate", "true or false", validate);
}

function wrong(name: string, what: string, value: unknown): SaverError {
  return new SaverError(
    "invalid_options",
    `withAllowlist's option ${name} must be ${what}, not ${kindOf(value)}`,
  );
}
