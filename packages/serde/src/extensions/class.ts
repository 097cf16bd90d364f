import { SerdeError } from "../errors.ts";
import { define } from "../define.ts";
import { messageKindOf } from "../langgraph.ts";
import type { ValueReader } from "./value-reader.ts";
import type { DefinedType } from "../types/definition.ts";
import { keyText } from "../types/type-table.ts";
import { isVersion } from "../types/versions.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
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
      data = dump.call(type.class, value);
    } catch (error) {
      return writer.problem(
        "dump_failed",
        `dump of ${keyText(type.key)} threw ${errorName(error)}`,
        type.key[1],
        error,
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
    writeHead(type, writer);
    write(value, writer);
    writeVersion(type, writer);
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
  const keys = Object.keys(record).filter(
    (key) => !writer.leavesOut(key, Object.getOwnPropertyDescriptor(record, key)?.value),
  );
  const list = writer.keyList(keys);
  if (list === undefined) {
    const [, name] = type.key;
    return writer.problem(
      "unsupported_type",
      `an instance of ${name} with a field name that can't be stored`,
      name,
    );
  }
  writer.begin(Ext.KW_ARGS);
  writeHead(type, writer);
  writer.fields(record, list);
  writeVersion(type, writer);
  writer.end();
}

function writeHead({ key, version }: DefinedType, writer: ValueWriter): void {
  writer.typeHead(version > 1 ? 4 : 3, ...key);
}

/** Version 1 goes without saying. */
function writeVersion({ version }: DefinedType, writer: ValueWriter): void {
  if (version > 1) writer.integer(version);
}

/** An instance from its stored fields; `versioned` when the version stands behind them. */
export function raiseRecordInstance(
  type: DefinedType,
  versioned: boolean,
  reader: ValueReader,
): object {
  if (type.load !== undefined) return build(type, versioned, reader, () => readRecord(reader));
  const prototype = type.class.prototype as object;
  if (errorClassOf(prototype) !== undefined || messageKindOf(prototype) !== undefined)
    throw loadFailed(type, reader, "load", "finds fields where its class stores more");
  const instance = reader.enter(Object.create(prototype) as object);
  if (versioned || type.version > 1) {
    const fields = upToDate(type, readRecord(reader), versioned, reader);
    return assignFields(type, instance, fields, reader);
  }
  reader.fields((key, value) => define(instance, key, value));
  return instance;
}

/** An instance from the one value that its class stored. */
export function raiseArgumentInstance(
  type: DefinedType,
  versioned: boolean,
  reader: ValueReader,
): object {
  if (type.load !== undefined) return build(type, versioned, reader, () => reader.value());
  const prototype = type.class.prototype as object;
  const isError = errorClassOf(prototype) !== undefined;
  if (!isError && messageKindOf(prototype) === undefined) {
    const instance = reader.enter(Object.create(prototype) as object);
    const fields = upToDate(type, reader.value(), versioned, reader);
    return assignFields(type, instance, fields, reader);
  }
  const instance = isError ? raiseError(reader, prototype) : raiseMessage(reader, prototype);
  if (upToDate(type, instance, versioned, reader) !== instance)
    throw loadFailed(type, reader, "migrate", "has to change the instance that it is given");
  return instance;
}

function assignFields(
  type: DefinedType,
  instance: object,
  fields: unknown,
  reader: ValueReader,
): object {
  if (!isPlainRecord(fields)) {
    const what = "is missing, but a single value is stored; define dump and load, or migrate it";
    throw loadFailed(type, reader, "load", what);
  }
  for (const [key, value] of Object.entries(fields)) define(instance, key, value);
  return instance;
}

function readRecord(reader: ValueReader): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  reader.fields((key, value) => define(record, key, value));
  return record;
}

function build(
  type: DefinedType,
  versioned: boolean,
  reader: ValueReader,
  read: () => unknown,
): object {
  const settle = reader.enterLater();
  const data = upToDate(type, read(), versioned, reader);
  let instance: unknown;
  try {
    instance = type.load?.call(type.class, data);
  } catch (error) {
    throw loadFailed(type, reader, "load", `threw ${errorName(error)}`, error);
  }
  if (typeof instance !== "object" || instance === null || !isInstance(instance, type))
    throw loadFailed(type, reader, "load", "did not give back an instance of its class");
  return settle(instance);
}

/** What a class stored, as its present version would have stored it. */
function upToDate(
  type: DefinedType,
  stored: unknown,
  versioned: boolean,
  reader: ValueReader,
): unknown {
  const from: unknown = versioned ? reader.value() : 1;
  reader.back();
  if (!isVersion(from)) throw reader.malformed("a type with a version that is no number");
  const name = keyText(type.key);
  if (from > type.version) {
    throw new SerdeError({
      code: "newer_version",
      path: reader.path(),
      message: `the payload holds a ${name} of version ${from}, and version ${type.version} is known here; run the code that wrote it, or newer`,
      className: type.key[1],
    });
  }
  let data = stored;
  for (let version = from; version < type.version; version++) {
    try {
      data = type.steps[version - 1]?.(data);
    } catch (error) {
      const what = `from version ${version} threw ${errorName(error)}`;
      throw loadFailed(type, reader, "migrate", what, error);
    }
  }
  if (from < type.version) reader.context.migrated?.(type, from, reader.path());
  return data;
}

function loadFailed(
  type: DefinedType,
  reader: ValueReader,
  method: "load" | "migrate",
  what: string,
  cause?: unknown,
): SerdeError {
  return new SerdeError(
    {
      code: "load_failed",
      path: reader.path(),
      message: `${method} of ${keyText(type.key)} ${what}`,
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
