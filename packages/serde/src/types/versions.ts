import { invalidOptions } from "../errors.ts";

/**
 * Steps between versions: the one under `1` takes what version 1 stored and gives what version 2
 * would have stored, and so on.
 */
export type Migrations<Step = (data: never) => unknown> = Readonly<Record<number, Step>>;

/**
 * Steps in their order, from version 1 on.
 *
 * @throws {@link SerdeError} `invalid_options` when a step is missing, or one leads to no known version.
 */
export function checkedSteps<Step>(
  label: string,
  version: number,
  migrations: Migrations<Step> = {},
): readonly Step[] {
  if (!(Number.isSafeInteger(version) && version > 0))
    throw invalidOptions(`${label} needs a version that is a whole number from 1 on`);
  const given = Object.keys(migrations);
  const steps = Array.from({ length: version - 1 }, (_, i) => migrations[i + 1]);
  const missing = steps.findIndex((step) => step === undefined);
  if (missing >= 0)
    throw invalidOptions(
      `${label} has version ${version} and no step from version ${missing + 1}; add it: migrate: { ${missing + 1}: (old) => … }`,
    );
  const extra = given.find((from) => !(Number(from) >= 1 && Number(from) < version));
  if (extra !== undefined)
    throw invalidOptions(
      `${label} has version ${version}, so that no step can start from ${extra}; raise its version, or remove the step`,
    );
  return steps as readonly Step[];
}

/** A stored version as far as it can be one. */
export function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
