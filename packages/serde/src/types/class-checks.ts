/**
 * Why storing a class's own enumerable fields would lose part of it, and what to do; undefined when
 * nothing speaks against it.
 */
import type { AnyClass } from "./any-class.ts";
export function lossOfFields(constructor: AnyClass): string | undefined {
  const builtin = builtinBase(constructor);
  if (builtin !== undefined)
    return `extends ${builtin}, whose content its own fields don't show; give it dump and load`;
  if (hasPrivateFields(constructor))
    return "has #private fields, which storing its own fields would lose; give it dump and load, or fields: true";
  return undefined;
}

/** Built-in classes that keep what they hold inside. Errors are not among them: theirs are fields. */
const CLOSED: readonly { readonly name: string; readonly prototype: object }[] = [
  Array,
  ArrayBuffer,
  BigInt,
  Boolean,
  DataView,
  Date,
  Function,
  Map,
  Number,
  Promise,
  RegExp,
  Set,
  SharedArrayBuffer,
  String,
  Symbol,
  URL,
  WeakMap,
  WeakRef,
  WeakSet,
  Object.getPrototypeOf(Uint8Array) as { readonly name: string; readonly prototype: object },
];

function builtinBase(constructor: AnyClass): string | undefined {
  for (
    let at = constructor.prototype as object | null;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const found = CLOSED.find(({ prototype }) => prototype === at);
    if (found !== undefined) return found.name;
  }
  return undefined;
}

/** A private name, an `accessor`, and what compilers make of them for older engines. */
const PRIVATE =
  /(?:^|[\s;{}(.])#[A-Za-z_$]|(?:^|[\s;{}])accessor\s+[\w$[]|\b__privateAdd\(|\b_classPrivate\w*InitSpec\(|\b_\w+\.set\(this,/;

/** Whether the source of the class, or of one it extends, shows fields that are not properties. */
function hasPrivateFields(constructor: AnyClass): boolean {
  for (
    let at: unknown = constructor;
    typeof at === "function" && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    if (PRIVATE.test(stripText(Function.prototype.toString.call(at)))) return true;
  }
  return false;
}

/** The source without comments, strings and template text, in which a `#` says nothing. */
function stripText(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g,
    " ",
  );
}
