import { type AnyClass, isClass } from "./any-class.ts";
import { isPlatformClass } from "./platform-class.ts";

/**
 * Why storing a class's own enumerable fields would lose part of it, and what to do; undefined when
 * nothing speaks against it.
 */
export function lossOfFields(constructor: AnyClass): string | undefined {
  const builtin = builtinBase(constructor);
  if (builtin !== undefined) {
    const what = builtin === constructor.name ? "is a class of the platform" : `extends ${builtin}`;
    return `${what}, whose content its own fields don't show; give it dump and load`;
  }
  if (hasPrivateFields(constructor))
    return "has #private fields, which storing its own fields would lose; give it dump and load, or fields: true";
  return undefined;
}

function builtinBase(constructor: AnyClass): string | undefined {
  for (
    let at = constructor.prototype as object | null;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const made = Object.getOwnPropertyDescriptor(at, "constructor")?.value as unknown;
    if (isClass(made) && isPlatformClass(made)) return made.name;
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
