import { nearestName, optionsProblem } from "@threadkeep/serde/policy";
import { SaverError } from "./errors.ts";
import { kindOf } from "./kind-of.ts";

/**
 * Refuse options that are none, or that have a name which is not known.
 *
 * @throws {@link SaverError} `invalid_options`
 */
export function checkOptions(
  who: string,
  options: unknown,
  known: readonly string[],
  others?: Readonly<Record<string, string>>,
): void {
  const problem = optionsProblem(options, known, others);
  if (problem !== undefined) throw new SaverError("invalid_options", `${who} ${problem}`);
}

/** Refuse a value without these methods. `what` says what it should be. */
export function checkMethods(what: string, value: unknown, methods: readonly string[]): void {
  const given = value as Readonly<Record<string, unknown>> | null | undefined;
  if (methods.every((name) => typeof given?.[name] === "function")) return;
  throw new SaverError("invalid_options", `${what} (${methods.join(", ")}), not ${kindOf(value)}`);
}

/** ` (did you mean …?)`, where a name is near. */
export function suggest(name: string, fields: Iterable<string>): string {
  const near = nearestName(name, fields);
  return near === undefined ? "" : ` (did you mean ${JSON.stringify(near)}?)`;
}
