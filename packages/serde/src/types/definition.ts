import { SerdeError } from "../errors.ts";
import { JS_MODULE } from "../wire.ts";

/** The stable name under which a class is stored: module and name, chosen by the user. */
export type TypeKey = readonly [module: string, name: string];

/** A class, as far as this package looks at it. */
// oxlint-disable-next-line typescript/no-explicit-any -- any constructor fits; its arguments are never looked at
export type AnyClass<T extends object = object> = abstract new (...args: any[]) => T;

/** How instances of one class are stored and revived. */
export interface TypeDefinition<T extends object = object, D = unknown> {
  /** Stored module. @defaultValue `"js"`: the class exists in JavaScript alone. */
  readonly module?: string;
  /** Stored name. It has to stay the same for as long as stored values are to be read. */
  readonly name: string;
  readonly class: AnyClass<T>;
  /** What to store of an instance. @defaultValue its own enumerable fields */
  readonly dump?: (value: T) => D;
  /** An instance from what was stored. @defaultValue an object of the class with those fields */
  readonly load?: (data: D) => T;
  /** Store the own fields although the class has `#private` ones, which are lost then. */
  readonly fields?: boolean;
}

const BRAND = Symbol.for("threadkeep.serde.type");

/** A definition that was checked; what {@link defineType} gives back. */
export interface DefinedType<T extends object = object> {
  readonly key: TypeKey;
  readonly class: AnyClass<T>;
  // Called with instances of `class` alone; `never` lets definitions of any class stand in one list.
  readonly dump: ((value: never) => unknown) | undefined;
  readonly load: ((data: unknown) => T) | undefined;
}

/**
 * Define how a class is stored.
 *
 * @throws {@link SerdeError} `invalid_options` when the definition contradicts itself, or the class
 * has private fields that storing its own fields would lose.
 *
 * @example
 * ```ts
 * const money = defineType({
 *   name: "Money",
 *   class: Money,
 *   dump: (value) => [value.amount, value.currency],
 *   load: ([amount, currency]) => new Money(amount, currency),
 * });
 * new MsgpackSerializer({ types: [money] });
 * ```
 */
export function defineType<T extends object, D>(definition: TypeDefinition<T, D>): DefinedType<T> {
  const { module = JS_MODULE, name, class: constructor, dump, load } = definition;
  const label = `Type ${JSON.stringify(name)}`;
  if (typeof name !== "string" || name === "" || typeof module !== "string" || module === "") {
    throw invalid(`${label} needs a name, and a module if one is given, that are not empty`);
  }
  if (
    typeof constructor !== "function" ||
    typeof constructor.prototype !== "object" ||
    constructor.prototype === null
  ) {
    throw invalid(`${label} needs a class`);
  }
  if ((dump === undefined) !== (load === undefined)) {
    throw invalid(`${label} has only one of dump and load; give both or neither`);
  }
  const builtin = dump === undefined ? builtinBase(constructor) : undefined;
  if (builtin !== undefined) {
    throw invalid(
      `${label} extends ${builtin}, whose content its own fields don't show; give it dump and load`,
    );
  }
  if (dump === undefined && definition.fields !== true && hasPrivateFields(constructor)) {
    throw invalid(
      `${label} has #private fields, which storing its own fields would lose; give it dump and load, or fields: true`,
    );
  }
  return Object.freeze({
    [BRAND]: true,
    key: Object.freeze([module, name] as const),
    class: constructor,
    dump,
    load: load as ((data: unknown) => T) | undefined,
  });
}

/** Whether a value came from {@link defineType}, of this copy of the package or another. */
export function isDefinedType(value: unknown): value is DefinedType {
  return typeof value === "object" && value !== null && BRAND in value;
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

/** Whether the source of the class, or of one it extends, declares a private name. */
function hasPrivateFields(constructor: AnyClass): boolean {
  for (
    let at: unknown = constructor;
    typeof at === "function" && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const source = Function.prototype.toString.call(at);
    if (/^class\b/.test(source) && /(?:^|[\s;{}(.])#[A-Za-z_$]/.test(stripText(source)))
      return true;
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

function invalid(message: string): SerdeError {
  return new SerdeError({ code: "invalid_options", path: "", message });
}
