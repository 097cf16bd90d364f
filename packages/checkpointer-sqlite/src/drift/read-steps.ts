import { optionsProblem } from "@threadkeep/serde/policy";
import { suggest } from "../check-options.ts";
import { SaverError } from "../errors.ts";
import { kindOf } from "../kind-of.ts";
import { isPlainRecord, type StateChanges, type StateStep } from "./steps.ts";

const CHANGES = ["rename", "convert", "split", "remove", "add"];
const BY_FUNCTION = ["convert", "split", "add"] as const;

/** A state's version and its steps, as they were given. */
export interface GivenVersion {
  readonly version: number;
  /** `steps[n]` starts from version n + 1. */
  readonly steps: readonly StateStep[];
}

/**
 * Check what says a state's version. Whatever can be wrong with it is told now: on load it would cost
 * what is stored.
 *
 * @throws {@link SaverError} `invalid_options`
 */
export function readVersion(state: unknown, fields: ReadonlySet<string> | undefined): GivenVersion {
  const problem = optionsProblem(state, ["version", "migrate"], { migrations: "migrate" });
  if (problem !== undefined) throw invalid(`state ${problem}`);
  const { version, migrate = {} } = state as { version?: unknown; migrate?: unknown };
  if (!Number.isSafeInteger(version) || (version as number) < 1)
    throw invalid("state.version must be a whole number from 1 on");
  if (!isPlainRecord(migrate))
    throw invalid(`state.migrate must be a record of steps, not ${kindOf(migrate)}`);
  const from = Array.from({ length: (version as number) - 1 }, (_, i) => i + 1);
  const missing = from.find((start) => !Object.hasOwn(migrate, start));
  if (missing !== undefined)
    throw invalid(
      `state has version ${version as number} and no step from version ${missing}; add it: migrate: { ${missing}: … }`,
    );
  const extra = Object.keys(migrate).find((start) => !from.some((each) => String(each) === start));
  if (extra !== undefined)
    throw invalid(
      `state has version ${version as number}, so that no step can start from ${extra}; raise its version, or remove the step`,
    );
  const steps = from.map((start) => readStep(start, migrate[start]));
  if (fields !== undefined) assertArrive(steps, fields);
  return { version: version as number, steps };
}

function readStep(start: number, step: unknown): StateStep {
  const at = `state.migrate[${start}]`;
  if (typeof step === "function") {
    assertSync(at, step);
    return step as StateStep;
  }
  if (!isPlainRecord(step))
    throw invalid(`${at} must be a function or a record of ${CHANGES.join(", ")}`);
  const problem = optionsProblem(step, CHANGES);
  if (problem !== undefined) throw invalid(`${at} ${problem.replace("option", "change")}`);
  for (const name of BY_FUNCTION) {
    for (const [field, make] of recordIn(step, name, at)) {
      if (typeof make !== "function")
        throw invalid(`${at}.${name}.${field} must be a function, not ${kindOf(make)}`);
      assertSync(`${at}.${name}.${field}`, make);
    }
  }
  assertRenames(step, at);
  const { remove = [] } = step;
  if (!Array.isArray(remove) || !remove.every((name) => typeof name === "string"))
    throw invalid(`${at}.remove must be a list of names of fields`);
  assertNewNames(step as StateChanges, at);
  return step as StateChanges;
}

function assertRenames(step: Readonly<Record<string, unknown>>, at: string): void {
  const taken = new Map<unknown, string>();
  for (const [field, name] of recordIn(step, "rename", at)) {
    if (typeof name !== "string" || name === "")
      throw invalid(`${at}.rename.${field} must be the field's new name, not ${kindOf(name)}`);
    const other = taken.get(name);
    if (other !== undefined)
      throw invalid(
        `${at}.rename: ${other} and ${field} would both become ${JSON.stringify(name)}`,
      );
    taken.set(name, field);
  }
}

/** After a rename nothing stands under the old name: a change that uses it would never be made. */
function assertNewNames(step: StateChanges, at: string): void {
  const { rename = {}, convert = {}, split = {}, remove = [] } = step;
  const arrived = new Set(Object.values(rename));
  const asked = { convert: Object.keys(convert), split: Object.keys(split), remove };
  for (const [change, names] of Object.entries(asked)) {
    const old = names.find((name) => Object.hasOwn(rename, name) && !arrived.has(name));
    if (old !== undefined)
      throw invalid(
        `${at}.${change} names ${JSON.stringify(old)}, which the same step renames before; use its new name, ${JSON.stringify(rename[old])}`,
      );
  }
}

/** Every name that a step makes has to lead to a field of the graph, or to a step that uses it up. */
function assertArrive(steps: readonly StateStep[], fields: ReadonlySet<string>): void {
  steps.forEach((step, i) => {
    if (typeof step === "function") return;
    const { rename = {}, convert = {}, add = {} } = step;
    const made = [
      ...Object.entries(rename).map(([old, name]) => [`rename.${old}`, name, false] as const),
      ...Object.keys(convert).map((name) => [`convert.${name}`, name, false] as const),
      ...Object.keys(add).map((name) => [`add.${name}`, name, true] as const),
    ];
    for (const [from, name, isAdded] of made) {
      const end = follow(name, isAdded ? [] : [{ ...step, rename: {} }], steps.slice(i + 1));
      if (end === undefined || fields.has(end)) continue;
      throw invalid(
        `state.migrate[${i + 1}].${from} leads to ${JSON.stringify(end)}, which is no field of the graph${suggest(end, fields)}; its value would be lost`,
      );
    }
  });
}

/** The name that a field has in the end; undefined where it is used up, or where only a function knows. */
function follow(
  name: string,
  now: readonly StateStep[],
  later: readonly StateStep[],
): string | undefined {
  let at = name;
  for (const step of [...now, ...later]) {
    if (typeof step === "function") return undefined;
    const { rename = {}, split = {}, remove = [] } = step;
    at = (Object.hasOwn(rename, at) ? rename[at] : undefined) ?? at;
    if (Object.hasOwn(split, at) || remove.includes(at)) return undefined;
  }
  return at;
}

function recordIn(
  step: Readonly<Record<string, unknown>>,
  name: string,
  at: string,
): [string, unknown][] {
  const changes = step[name];
  if (changes === undefined) return [];
  if (!isPlainRecord(changes))
    throw invalid(`${at}.${name} must be a record by names of fields, not ${kindOf(changes)}`);
  return Object.entries(changes);
}

function assertSync(at: string, make: unknown): void {
  if ((make as { constructor?: { name?: unknown } }).constructor?.name === "AsyncFunction")
    throw invalid(`${at} is async; steps are synchronous`);
}

function invalid(message: string): SaverError {
  return new SaverError("invalid_options", message);
}
