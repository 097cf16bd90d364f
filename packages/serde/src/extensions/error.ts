import { types } from "node:util";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { define } from "./record.ts";

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

/** The dump for one error class: message, cause, errors and own fields; the stack only where asked for. */
export function dumpError(
  name: string,
  withStack: boolean,
): (value: Error, writer: Writer) => void {
  return (value, writer) => {
    if (!types.isNativeError(value)) return writer.refuse(value);
    const message = Object.getOwnPropertyDescriptor(value, "message")?.value as unknown;
    const plainMessage = typeof message === "string" && !Object.keys(value).includes("message");
    const own = Object.getOwnPropertyNames(value).filter((key) => {
      return (key !== "stack" || withStack) && !(key === "message" && plainMessage);
    });
    const visible = new Set(Object.keys(value));
    writer.document(Ext.ERROR, () => {
      writer.sink.array(4);
      writer.sink.text(name);
      if (plainMessage) writer.text(message);
      else writer.sink.nil();
      for (const enumerable of [false, true]) {
        const keys = own.filter((key) => visible.has(key) === enumerable);
        writer.sink.array(keys.length * 2);
        for (const key of keys) {
          writer.text(key);
          writer.child(key, (value as unknown as Record<string, unknown>)[key]);
        }
      }
    });
  };
}

export function raiseError(body: unknown, reader: Reader): Error {
  const [rawName, rawMessage, ...groups] = reader.list(body, 4);
  const name = reader.text(rawName);
  const known = CLASSES.get(name);
  if (known === undefined) throw reader.malformed("an error of an unknown class");
  const message = rawMessage === null ? undefined : reader.text(rawMessage);
  const error = reader.enter(known.build(message));
  // Where this error is built says nothing; the place where it was thrown is gone unless it was stored.
  define(
    error,
    "stack",
    message === undefined || message === "" ? name : `${name}: ${message}`,
    false,
  );
  groups.forEach((group, i) => {
    const pairs = reader.list(group);
    if (pairs.length % 2 !== 0) throw reader.malformed("a broken error");
    for (let at = 0; at < pairs.length; at += 2) {
      const key = reader.text(pairs[at]);
      define(error, key, reader.child(key, pairs[at + 1]), i === 1);
    }
  });
  return error;
}

/** Its `errors` come with its own properties. */
function buildAggregate(message: string | undefined): Error {
  const error = new AggregateError([], message);
  delete (error as Partial<AggregateError>).errors;
  return error;
}
