import { jsonKindOf } from "../kinds/json-kind.ts";
import { type AnyClass, isClass } from "../types/any-class.ts";

/** The classes of the instances in a value, at any depth. No getter of it runs. */
export function valueClasses(value: unknown): Set<AnyClass> {
  const found = new Set<AnyClass>();
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    const { kind } = jsonKindOf(item);
    const isInstance = kind === "instance" || kind === "live";
    if (isInstance) addClass(item, found);
    if (kind === "map" || kind === "textMap")
      open.push(...(item as Map<unknown, unknown>).entries());
    else if (kind === "set") open.push(...(item as Set<unknown>).values());
    else if (isInstance || kind === "record" || kind === "list" || kind === "nullPrototype")
      open.push(...dataOf(item));
  }
  return found;
}

function addClass(item: object, found: Set<AnyClass>): void {
  const prototype = Object.getPrototypeOf(item) as object;
  const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (isClass(constructor) && constructor.prototype === prototype) found.add(constructor);
}

function dataOf(item: object): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(item)).map(({ value }) => value as unknown);
}
