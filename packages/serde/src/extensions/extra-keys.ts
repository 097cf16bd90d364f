import { inspect, types } from "node:util";

/** Up to this many items a list of all keys costs less than asking for those that are no indices. */
const SHORT = 24;

/**
 * Whether an object has enumerable fields, symbol keys too, besides what its class keeps inside and
 * the items of a list. `holes` is how many of those items are missing.
 */
export function hasExtraKeys(value: object, holes = 0): boolean {
  if (!Array.isArray(value) && !types.isTypedArray(value))
    return Object.keys(value).length > 0 || Object.getOwnPropertySymbols(value).length > 0;
  const { length } = value as { readonly length: number };
  if (length > SHORT) return hasNamedKeys(value);
  // With the indices come symbols, fields that are not enumerable, and an array's own length.
  const named = Reflect.ownKeys(value).length + holes - length;
  return named > (Array.isArray(value) ? 1 : 0) && hasNamedKeys(value);
}

/**
 * Whether a long list has keys that are no indices. A list of all keys would take longer than
 * writing the value; the inspector alone asks the engine for just these.
 */
function hasNamedKeys(list: object): boolean {
  const text = inspect(list, {
    maxArrayLength: 0,
    depth: 0,
    customInspect: false,
    showHidden: false,
    getters: false,
    compact: true,
    breakLength: Number.POSITIVE_INFINITY,
  });
  return !/ more items? \]$/.test(text);
}
