/** A class, as far as this package looks at it. */
// oxlint-disable-next-line typescript/no-explicit-any -- any constructor fits; its arguments are never looked at
export type AnyClass<T extends object = object> = abstract new (...args: any[]) => T;

export function isClass(value: unknown): value is AnyClass {
  if (typeof value !== "function") return false;
  const { prototype } = value as { readonly prototype?: unknown };
  return typeof prototype === "object" && prototype !== null;
}
