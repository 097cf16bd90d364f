import { raiseBigInt } from "../extensions/bigint.ts";
import { raiseBytes } from "../extensions/bytes.ts";
import { raiseArgumentInstance, raiseRecordInstance } from "../extensions/class.ts";
import { raiseCommand, raiseOverwrite, raiseOwnCommand } from "../extensions/command.ts";
import { dateFromPython, raiseDate } from "../extensions/date.ts";
import { raiseDeltaSnapshot } from "../extensions/delta-snapshot.ts";
import { DOCUMENT, raiseDocument as raiseLangChainDocument } from "../extensions/document.ts";
import { raiseError } from "../extensions/error.ts";
import { raiseInert, raiseInertArray } from "../extensions/inert.ts";
import { raiseJoin } from "../extensions/join.ts";
import { raiseMap } from "../extensions/map.ts";
import { raiseMessage, raisePydanticMessage } from "../extensions/message.ts";
import { raisePlace } from "../extensions/place.ts";
import { PYTHON_RECORDS, raisePythonRecord } from "../extensions/python-record.ts";
import { raiseRecord } from "../extensions/record.ts";
import { raiseRegExp, regExpFromPython } from "../extensions/regexp.ts";
import { raiseOwnSend, raiseSend } from "../extensions/send.ts";
import { raiseSet } from "../extensions/set.ts";
import { raiseSpecial } from "../extensions/special.ts";
import { raiseTypedArray } from "../extensions/typed-array.ts";
import { raiseUrl } from "../extensions/url.ts";
import { SerdeError } from "../errors.ts";
import { fromCodeUnits } from "../text.ts";
import type { TypeKey } from "../types/definition.ts";
import { keyText } from "../types/type-table.ts";
import { Ext } from "../wire.ts";
import { isPythonStandardType } from "./python.ts";
import type { ValueReader } from "../extensions/value-reader.ts";

/** The value of an extension that holds raw bytes. `body` is part of the payload: what is kept must be copied. */
export function raiseLeaf(code: number, body: Uint8Array, reader: ValueReader): unknown {
  switch (code) {
    case Ext.SPECIAL:
      return raiseSpecial(body, reader);
    case Ext.BIGINT:
      return raiseBigInt(body, reader);
    case Ext.BYTES:
      return raiseBytes(body, reader);
    case Ext.TEXT:
      if (body.length % 2 !== 0) throw reader.malformed("half a code unit");
      return fromCodeUnits(body);
    case Ext.URL:
      return raiseUrl(body, reader);
    case Ext.DATE:
      return raiseDate(body, reader);
    case Ext.PART: {
      if (reader.context.part === undefined)
        throw reader.malformed("a stored part, which only its saver can read");
      const part = reader.context.part(body);
      return typeof part === "object" && part !== null ? reader.enter(part) : part;
    }
    default:
      throw reader.malformed(`extension code ${code} out of place`);
  }
}

/** The value of an extension around a document, which the reader has reached. */
export function raiseDocument(code: number, reader: ValueReader): unknown {
  switch (code) {
    case Ext.DELTA_SNAPSHOT:
      return raiseDeltaSnapshot(reader);
    case Ext.NUMPY: {
      const start = reader.mark();
      const array = raiseTypedArray(reader);
      if (array !== undefined) return array;
      reader.rewind(start);
      return raiseInertArray(reader);
    }
    case Ext.JOIN:
      return raiseJoin(reader);
    case Ext.MAP:
      return raiseMap(reader);
    case Ext.SET:
      return raiseSet(reader);
    case Ext.RECORD:
      return raiseRecord(reader);
    case Ext.ERROR:
      return raiseError(reader);
    case Ext.REGEXP:
      return raiseRegExp(reader);
    case Ext.MESSAGE:
      return raiseMessage(reader);
    case Ext.CONTROL:
      return raiseControl(reader);
    case Ext.PLACE:
      return raisePlace(reader);
    default:
      return raiseNamed(code, reader);
  }
}

function raiseControl(reader: ValueReader): object {
  reader.array(2);
  const name = reader.text();
  if (name === "Send") return raiseOwnSend(reader);
  if (name === "Command") return raiseOwnCommand(reader);
  throw reader.malformed("an unknown control object");
}

/** Codes 0–5: `[module, name, content, …]`. Names are compared with known ones; nothing is looked up by them. */
function raiseNamed(code: number, reader: ValueReader): object {
  const size = reader.array();
  if (size < 3) throw reader.malformed("a typed value without content");
  const key: TypeKey = [reader.text(), reader.text()];
  const content = reader.mark();
  let value = raiseKnown(code, key, size, reader);
  if (value === undefined) {
    reader.rewind(content);
    value = raiseUser(code, key, size, reader);
    if (value !== undefined && holdsVersion(code, size)) return value;
  }
  if (value === undefined) {
    reader.rewind(content);
    return block(code, key, size - 3, reader);
  }
  // What stands behind the content says how Python makes the object; here that is known.
  const behind = code === Ext.METHOD ? 4 : 3;
  for (let i = behind; i < size; i++) reader.value();
  return value;
}

/** What the wire contract gives a class here, or undefined when its content was no such thing. */
function raiseKnown(
  code: number,
  [module, name]: TypeKey,
  size: number,
  reader: ValueReader,
): object | undefined {
  switch (code) {
    case Ext.SINGLE_ARG:
      return module === "builtins" && name === "set" ? raiseSet(reader) : undefined;
    case Ext.POS_ARGS:
      if (module === "langgraph.types" && name === "Send") return raiseSend(reader);
      return module === "re" && name === "compile" ? regExpFromPython(reader) : undefined;
    case Ext.KW_ARGS:
      if (module === "langgraph.types" && name === "Command") return raiseCommand(reader);
      if (module === "langgraph.types" && name === "Overwrite") return raiseOverwrite(reader);
      return raisePythonRecord(PYTHON_RECORDS.get(`${module}.${name}`), reader);
    case Ext.PYDANTIC_V1:
      return raisePythonRecord(PYTHON_RECORDS.get(`${module}.${name}`), reader);
    case Ext.METHOD:
      return module === "datetime" && name === "datetime" && size === 4
        ? dateFromPython(reader)
        : undefined;
    case Ext.PYDANTIC_V2:
      if (module === DOCUMENT.module && name === DOCUMENT.name)
        return raiseLangChainDocument(reader);
      return module.startsWith("langchain_core.messages.")
        ? raisePydanticMessage(name, reader)
        : undefined;
    default:
      return undefined;
  }
}

/** What `types` makes of it, or undefined. */
function raiseUser(
  code: number,
  key: TypeKey,
  size: number,
  reader: ValueReader,
): object | undefined {
  const type = reader.context.types.forKey(key);
  if (type === undefined) return undefined;
  const versioned = holdsVersion(code, size);
  if (code === Ext.SINGLE_ARG) return raiseArgumentInstance(type, versioned, reader);
  if (code === Ext.KW_ARGS || code === Ext.PYDANTIC_V1 || code === Ext.PYDANTIC_V2)
    return raiseRecordInstance(type, versioned, reader);
  return undefined;
}

/** Whether a version stands behind the content. */
function holdsVersion(code: number, size: number): boolean {
  return size === 4 && (code === Ext.SINGLE_ARG || code === Ext.KW_ARGS);
}

function block(code: number, key: TypeKey, rest: number, reader: ValueReader): object {
  const { types, onBlocked, blocked } = reader.context;
  if (!isPythonStandardType(key) && !types.isInert(key)) {
    blocked?.(key, reader.path());
    if (onBlocked === "throw") {
      throw new SerdeError({
        code: "type_not_allowed",
        path: reader.path(),
        className: key[1],
        message:
          `the payload holds a ${keyText(key)}, which is not in types; add its class to types, ` +
          `or the pair ${JSON.stringify(key)} to load it as an inert value`,
      });
    }
  }
  return raiseInert(code, key, rest, reader);
}
