import { SerdeError } from "../errors.ts";
import type { Reader } from "../read/reader.ts";
import type { DefinedType } from "../types/definition.ts";
import { keyText } from "../types/type-table.ts";
import { Ext } from "../wire.ts";
import { fitsMap, type Writer } from "../write/writer.ts";
import { define } from "./record.ts";

/** An instance of a class in `types`: a record of fields where that is what it stores, else one argument. */
export function dumpInstance(type: DefinedType): (value: object, writer: Writer) => void {
  const [module, name] = type.key;
  return (value, writer) => {
    if (type.dump === undefined) {
      if (Object.getOwnPropertySymbols(value).length > 0) {
        return writer.problem(
          "unsupported_type",
          `an instance of ${name} with symbol keys; give its type dump and load`,
          name,
        );
      }
      return dumpFields(value);
    }
    let data: unknown;
    try {
      data = type.dump(value);
    } catch (error) {
      return writer.problem(
        "dump_failed",
        `dump of ${keyText(type.key)} threw ${errorName(error)}`,
        name,
      );
    }
    writer.opaque(value, () => {
      if (isPlainRecord(data)) return dumpFields(data);
      writer.document(Ext.SINGLE_ARG, () => {
        writer.typeHead(3, module, name);
        writer.value(data);
      });
    });

    function dumpFields(record: object): void {
      const keys = Object.keys(record);
      if (!keys.every(fitsMap)) {
        return writer.problem(
          "unsupported_type",
          `an instance of ${name} with a field name that can't be stored`,
          name,
        );
      }
      writer.document(Ext.KW_ARGS, () => {
        writer.typeHead(3, module, name);
        writer.fields(record, keys);
      });
    }
  };
}

/** An instance from its stored fields. */
export function raiseRecordInstance(type: DefinedType, kwargs: unknown, reader: Reader): object {
  const fields = reader.fields(kwargs);
  if (type.load !== undefined) {
    return build(type, reader, () => {
      const record: Record<string, unknown> = {};
      for (const [key, raw] of fields) define(record, key, reader.child(key, raw));
      return record;
    });
  }
  const instance = reader.enter(Object.create(type.class.prototype as object) as object);
  for (const [key, raw] of fields) define(instance, key, reader.child(key, raw));
  return instance;
}

/** An instance from the one value that its class stored. */
export function raiseArgumentInstance(
  type: DefinedType,
  argument: unknown,
  reader: Reader,
): object {
  return build(type, reader, () => reader.value(argument));
}

function build(type: DefinedType, reader: Reader, data: () => unknown): object {
  const settle = reader.enterLater();
  const loaded = data();
  const failed = (what: string, cause?: unknown): SerdeError =>
    new SerdeError(
      {
        code: "load_failed",
        path: reader.path(),
        message: `load of ${keyText(type.key)} ${what}`,
        className: type.key[1],
      },
      cause === undefined ? undefined : { cause },
    );
  if (type.load === undefined)
    throw failed("is missing, but a single value is stored; define dump and load again");
  let instance: unknown;
  try {
    instance = type.load(loaded);
  } catch (error) {
    throw failed(`threw ${errorName(error)}`, error);
  }
  if (
    typeof instance !== "object" ||
    instance === null ||
    !isInstance(instance, type.class.prototype as object)
  ) {
    throw failed("did not give back an instance of its class");
  }
  return settle(instance);
}

function isInstance(value: object, prototype: object): boolean {
  return Object.prototype.isPrototypeOf.call(prototype, value);
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return false;
  return Object.getOwnPropertySymbols(value).length === 0 && Object.keys(value).every(fitsMap);
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "something that is no Error";
}
