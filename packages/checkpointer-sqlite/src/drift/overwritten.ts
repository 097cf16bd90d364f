const OVERWRITTEN = "__overwrite__";

/** A value that LangGraph's `Overwrite` holds, and a wrapper like it for another value. */
export interface Overwritten {
  readonly value: unknown;
  wrap(value: unknown): unknown;
}

/** LangGraph's `Overwrite`, as an instance or as the record that stands for one. */
export function overwritten(value: unknown): Overwritten | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, OVERWRITTEN))
    return undefined;
  if (!Object.keys(value).every((key) => key === OVERWRITTEN || key === "lg_name"))
    return undefined;
  return {
    value: (value as Record<string, unknown>)[OVERWRITTEN],
    wrap: (inner) =>
      Object.assign(Object.create(Object.getPrototypeOf(value) as object) as object, value, {
        [OVERWRITTEN]: inner,
      }),
  };
}
