import type { ScanProblem } from "./scan-problem.ts";
import { type Problem, invalidOptions } from "../errors.ts";
import { resolveLimits } from "../limits.ts";
import { optionsProblem } from "../options-problem.ts";
import type { PathStep } from "../path.ts";
import { MsgpackSerializer, type WriteHooks } from "../serializer.ts";
import { NonSerializableStateError } from "./error.ts";
import { JsonScan } from "./json-scan.ts";

/** What a value has to survive: our serializer, or JSON text. */
export type ScanProfile = "msgpack" | "json";

/** Options of {@link scan}. */
export interface ScanOptions {
  /**
   * `"msgpack"` finds exactly what the serializer refuses. `"json"` finds whatever
   * `JSON.parse(JSON.stringify(value))` would not give back. @defaultValue `"msgpack"`
   */
  readonly profile?: ScanProfile;
  /** Whose types and limits count. @defaultValue a `MsgpackSerializer` without types */
  readonly serializer?: MsgpackSerializer;
}

/**
 * Every place in a value that can't be stored, found in one pass, with what to convert it to.
 *
 * In lenient mode, too, the serializer's losses are problems here.
 *
 * @example
 * ```ts
 * scan({ total: Number.NaN, run: () => 1 }).map(({ path, type }) => `${path}: ${type}`); // ["run: Function"]
 * scan({ total: Number.NaN }, { profile: "json" })[0]?.conversion; // "use null, or its name as text"
 * ```
 */
export function scan(value: unknown, options: ScanOptions = {}): readonly ScanProblem[] {
  return scanAt(value, [], options);
}

/** What the serializer would refuse, for savers: with what is left out, and where the value stands. */
export function findProblems(
  serializer: MsgpackSerializer,
  value: unknown,
  hooks: WriteHooks,
): readonly ScanProblem[] {
  return serializer.problems(value, hooks).map(toScanProblem);
}

function scanAt(
  value: unknown,
  at: readonly PathStep[],
  options: ScanOptions = {},
): readonly ScanProblem[] {
  const problem = optionsProblem(options, ["profile", "serializer"]);
  if (problem !== undefined) throw invalidOptions(`scan ${problem}`);
  const { profile = "msgpack", serializer } = options;
  if (serializer !== undefined && !MsgpackSerializer.is(serializer))
    throw invalidOptions("serializer must be a MsgpackSerializer");
  if (profile === "msgpack")
    return findProblems(serializer ?? new MsgpackSerializer(), value, { at });
  if (profile !== "json") throw invalidOptions('profile must be "msgpack" or "json"');
  const walk = new JsonScan(serializer?.limits ?? resolveLimits(), at);
  walk.value(value);
  return walk.problems;
}

/**
 * Make sure that a value can be stored.
 *
 * @param path where the value stands, for the message
 * @throws {@link NonSerializableStateError} that lists every place that can't be
 *
 * @example
 * ```ts
 * assertSerializable({ retries: 3 }); // nothing happens
 * assertSerializable({ db: new WeakMap() }, "state"); // throws: state.db: a weak collection (WeakMap) …
 * ```
 */
export function assertSerializable(value: unknown, path = "", options: ScanOptions = {}): void {
  const at = path === "" ? [] : [{ text: path }];
  const [first, ...others] = scanAt(value, at, options);
  if (first !== undefined) throw new NonSerializableStateError([first, ...others]);
}

/** The serializer's messages say what is there, and behind the last semicolon what to do about it. */
function toScanProblem({ code, path, message, className }: Problem): ScanProblem {
  const cut = message.lastIndexOf("; ");
  return {
    path,
    type: className ?? "Object",
    code,
    message: cut < 0 ? message : message.slice(0, cut),
    conversion: cut < 0 ? "" : message.slice(cut + 2),
  };
}
