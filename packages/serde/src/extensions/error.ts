import { types } from "node:util";
import { define } from "../define.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

type Build = (message: string | undefined) => Error;

/** The closed set of error classes; each stored name stands for exactly one. */
const CLASSES: ReadonlyMap<string, { readonly prototype: object; readonly build: Build }> = new Map(
  [
    ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
      (constructor) =>
        [
          constructor.name,
          {
            prototype: constructor.prototype as object,
            build: (message) => new constructor(message),
          },
        ] as [string, { prototype: object; build: Build }],
    ),
    ["AggregateError", { prototype: AggregateError.prototype, build: buildAggregate }],
  ],
);

export const ERROR_PROTOTYPES: ReadonlyMap<object, string> = new Map(
  [...CLASSES].map(([name, { prototype }]) => [prototype, name]),
);

/** The name of the built-in class that a prototype is of or extends; undefined when it is no error's. */
export function errorClassOf(prototype: object): string | undefined {
  for (
    let at: object | null = prototype;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const name = ERROR_PROTOTYPES.get(at);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The dump for one error class. */
export function dumpError(
  name: string,
  withStack: boolean,
): (value: Error, writer: ValueWriter) => void {
  return (value, writer) => {
    if (!types.isNativeError(value)) return writer.forged(value);
    writer.begin(Ext.ERROR);
    writeError(name, value, withStack, writer);
    writer.end();
  };
}

/** Message, cause, errors and own fields; the stack only where asked for. */
export function writeError(
  name: string,
  value: Error,
  withStack: boolean,
  writer: ValueWriter,
): void {
  const message = Object.getOwnPropertyDescriptor(value, "message");
  const hasMessage = typeof message?.value === "string" && message.enumerable !== true;
  const visible = new Set(Object.keys(value));
  const own = Object.getOwnPropertyNames(value).filter(
    (key) =>
      (key !== "stack" || withStack) &&
      !(key === "message" && hasMessage) &&
      !writer.leavesOut(key, Object.getOwnPropertyDescriptor(value, key)?.value),
  );
  writer.array(4);
  writer.text(name);
  if (hasMessage) writer.text(message.value as string);
  else writer.nil();
  for (const enumerable of [false, true]) {
    const keys = own.filter((key) => visible.has(key) === enumerable);
    writer.array(keys.length * 2);
    for (const key of keys) {
      writer.text(key);
      writer.child(key, (value as unknown as Record<string, unknown>)[key]);
    }
  }
}

/** An error; of a class that extends the built-in one when its prototype is given. */
export function raiseError(reader: ValueReader, prototype?: object): Error {
  reader.array(4);
  const name = reader.text();
  const known = CLASSES.get(name);
  if (known === undefined) throw reader.malformed("an error of an unknown class");
  const message = reader.isNil() ? undefined : reader.text();
  const error = reader.enter(known.build(message));
  if (prototype !== undefined) Object.setPrototypeOf(error, prototype);
  // Where this error is built says nothing; the place where it was thrown is gone unless it was stored.
  define(error, "stack", message ? `${name}: ${message}` : name, false);
  for (const enumerable of [false, true]) {
    const size = reader.array();
    if (size % 2 !== 0) throw reader.malformed("a broken error");
    for (let i = 0; i < size; i += 2) {
      const key = reader.text();
      define(error, key, reader.child(key), enumerable);
    }
  }
  return error;
}

/** Its `errors` come with its own properties. */
function buildAggregate(message: string | undefined): Error {
  const error = new AggregateError([], message);
  delete (error as Partial<AggregateError>).errors;
  return error;
}
