import { SerdeError } from "../errors.ts";
import { define } from "../define.ts";
import { messageKindOf } from "../langgraph.ts";
import type { ValueReader } from "../read/value-reader.ts";
import type { DefinedType } from "../types/definition.ts";
import { keyText } from "../types/type-table.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "../write/value-writer.ts";
import { errorClassOf, raiseError, writeError } from "./error.ts";
import { raiseMessage, writeMessage } from "./message.ts";

type DumpInstance = (value: object, writer: ValueWriter) => void;

/**
 * An instance of a class in `types`: its fields as a record, or what its `dump` gives; the classes
 * that extend an error or a message have what those have too.
 */
export function dumpInstance(type: DefinedType, errorStacks: boolean): DumpInstance {
  if (type.dump !== undefined) return dumpByMethod(type, type.dump as (value: object) => unknown);
  const prototype = type.class.prototype as object;
  const error = errorClassOf(prototype);
  if (error !== undefined)
    return dumpArgument(type, (value, writer) =>
      writeError(error, value as Error, errorStacks, writer),
    );
  const kind = messageKindOf(prototype);
  if (kind !== undefined)
    return dumpArgument(type, (value, writer) =>
      writeMessage(kind, value as Record<string, unknown>, writer),
    );
  return dumpFields(type);
}

function dumpByMethod(type: DefinedType, dump: (value: object) => unknown): DumpInstance {
  return (value, writer) => {
    let data: unknown;
    try {
      data = dump(value);
    } catch (error) {
      return writer.problem(
        "dump_failed",
        `dump of ${keyText(type.key)} threw ${errorName(error)}`,
        type.key[1],
      );
    }
    writer.opaque(value, () => {
      if (isPlainRecord(data)) writeRecord(type, data, writer);
      else dumpArgument(type, () => writer.value(data))(value, writer);
    });
  };
}

function dumpArgument(type: DefinedType, write: DumpInstance): DumpInstance {
  return (value, writer) => {
    writer.begin(Ext.SINGLE_ARG);
    writer.typeHead(3, ...type.key);
    write(value, writer);
    writer.end();
  };
}

function dumpFields(type: DefinedType): DumpInstance {
  return (value, writer) => {
    const [, name] = type.key;
    const message = `an instance of ${name} with symbol keys; give its type dump and load`;
    if (Object.getOwnPropertySymbols(value).length > 0 && writer.loses(message, name))
      return writer.nil();
    writeRecord(type, value, writer);
  };
}

function writeRecord(type: DefinedType, record: object, writer: ValueWriter): void {
  const list = writer.keyList(Object.keys(record));
  if (list === undefined) {
    const [, name] = type.key;
    return writer.problem(
      "unsupported_type",
      `an instance of ${name} with a field name that can't be stored`,
      name,
    );
  }
  writer.begin(Ext.KW_ARGS);
  writer.typeHead(3, ...type.key);
  writer.fields(record, list);
  writer.end();
}

/** An instance from its stored fields. */
export function raiseRecordInstance(type: DefinedType, reader: ValueReader): object {
  if (type.load !== undefined) {
    return build(type, reader, () => {
      const record: Record<string, unknown> = {};
      reader.fields((key, value) => define(record, key, value));
      return record;
    });
  }
  const prototype = type.class.prototype as object;
  if (errorClassOf(prototype) !== undefined || messageKindOf(prototype) !== undefined)
    throw loadFailed(type, reader, "finds fields where its class stores more");
  const instance = reader.enter(Object.create(prototype) as object);
  reader.fields((key, value) => define(instance, key, value));
  return instance;
}

/** An instance from the one value that its class stored. */
export function raiseArgumentInstance(type: DefinedType, reader: ValueReader): object {
  if (type.load !== undefined) return build(type, reader, () => reader.value());
  const prototype = type.class.prototype as object;
  if (errorClassOf(prototype) !== undefined) return raiseError(reader, prototype);
  if (messageKindOf(prototype) !== undefined) return raiseMessage(reader, prototype);
  throw loadFailed(
    type,
    reader,
    "is missing, but a single value is stored; define dump and load again",
  );
}

function build(type: DefinedType, reader: ValueReader, data: () => unknown): object {
  const settle = reader.enterLater();
  const loaded = data();
  reader.back();
  let instance: unknown;
  try {
    instance = type.load?.(loaded);
  } catch (error) {
    throw loadFailed(type, reader, `threw ${errorName(error)}`, error);
  }
  if (typeof instance !== "object" || instance === null || !isInstance(instance, type))
    throw loadFailed(type, reader, "did not give back an instance of its class");
  return settle(instance);
}

function loadFailed(
  type: DefinedType,
  reader: ValueReader,
  what: string,
  cause?: unknown,
): SerdeError {
  return new SerdeError(
    {
      code: "load_failed",
      path: reader.path(),
      message: `load of ${keyText(type.key)} ${what}`,
      className: type.key[1],
    },
    cause === undefined ? undefined : { cause },
  );
}

function isInstance(value: object, type: DefinedType): boolean {
  return Object.prototype.isPrototypeOf.call(type.class.prototype as object, value);
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.getOwnPropertySymbols(value).length === 0
  );
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "something that is no Error";
}
