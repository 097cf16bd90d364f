import type { AnyClass } from "./any-class.ts";

/** What storing own fields is right for: they keep nothing elsewhere. */
const OPEN: readonly unknown[] = [
  Object,
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
];

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/**
 * Whether a class comes with the engine or with Node.js (`Intl.NumberFormat`, `Headers`,
 * `DOMException`): such classes keep what they hold where no field shows it.
 */
export function isPlatformClass(constructor: AnyClass): boolean {
  if (OPEN.includes(constructor)) return false;
  return NATIVE.test(Function.prototype.toString.call(constructor)) || isGlobal(constructor);
}

/** Node.js defines its classes as globals that can't be listed; what programs assign can. */
function isGlobal(constructor: AnyClass): boolean {
  const { name } = constructor;
  if (!/^[A-Z]\w*$/.test(name)) return false;
  const global = Object.getOwnPropertyDescriptor(globalThis, name);
  if (global === undefined || global.enumerable === true) return false;
  // Some are made when they are first asked for; one that exists has been.
  return (global.get === undefined ? global.value : global.get.call(globalThis)) === constructor;
}
