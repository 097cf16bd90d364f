import { raiseBigInt } from "../extensions/bigint.ts";
import { raiseBytes } from "../extensions/bytes.ts";
import { raiseArgumentInstance, raiseRecordInstance } from "../extensions/class.ts";
import { raiseCommand, raiseOverwrite } from "../extensions/command.ts";
import { dateFromIso, raiseDate } from "../extensions/date.ts";
import { raiseDeltaSnapshot } from "../extensions/delta-snapshot.ts";
import { DOCUMENT, raiseDocument } from "../extensions/document.ts";
import { raiseError } from "../extensions/error.ts";
import { raiseInert, raiseInertArray } from "../extensions/inert.ts";
import { raiseMap } from "../extensions/map.ts";
import { raiseMessage, raisePydanticMessage } from "../extensions/message.ts";
import { raisePlace } from "../extensions/place.ts";
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
import type { RawExtension } from "./raw.ts";
import type { Reader } from "./reader.ts";

/** The value of an extension that holds raw bytes. */
export function raiseLeaf({ code, body }: RawExtension, reader: Reader): unknown {
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

/** The value of an extension around a document. `bytes` is its body where it stood closed. */
export function raiseDocumentExtension(
  code: number,
  body: unknown,
  bytes: Uint8Array | undefined,
  reader: Reader,
): unknown {
  switch (code) {
    case Ext.DELTA_SNAPSHOT:
      return raiseDeltaSnapshot(body, reader);
    case Ext.NUMPY: {
      const items = reader.list(body, 4);
      return raiseTypedArray(items, reader) ?? raiseInertArray(bytes, items, reader);
    }
    case Ext.MAP:
      return raiseMap(body, reader);
    case Ext.SET:
      return raiseSet(body, reader);
    case Ext.RECORD:
      return raiseRecord(body, reader);
    case Ext.ERROR:
      return raiseError(body, reader);
    case Ext.REGEXP:
      return raiseRegExp(body, reader);
    case Ext.MESSAGE:
      return raiseMessage(body, reader);
    case Ext.CONTROL:
      return raiseControl(body, reader);
    case Ext.PLACE:
      return raisePlace(body, reader);
    default:
      return raiseNamed(code, body, bytes, reader);
  }
}

function raiseControl(body: unknown, reader: Reader): object {
  const [rawName, fields] = reader.list(body, 2);
  const name = reader.text(rawName);
  if (name === "Send") return raiseOwnSend(fields, reader);
  if (name === "Command") return raiseCommand(fields, reader);
  throw reader.malformed("an unknown control object");
}

/** Codes 0–5: `[module, name, content, …]`. Names are compared with known ones; nothing is looked up by them. */
function raiseNamed(
  code: number,
  body: unknown,
  bytes: Uint8Array | undefined,
  reader: Reader,
): unknown {
  const items = reader.list(body);
  if (items.length < 3) throw reader.malformed("a typed value without content");
  const key: TypeKey = [reader.text(items[0]), reader.text(items[1])];
  return (
    raiseKnown(code, key, items, reader) ??
    raiseUser(code, key, items[2], reader) ??
    block(code, key, items, bytes, reader)
  );
}

/** What the wire contract gives a class here, or undefined. */
function raiseKnown(
  code: number,
  [module, name]: TypeKey,
  items: readonly unknown[],
  reader: Reader,
): object | undefined {
  const content = items[2];
  switch (code) {
    case Ext.SINGLE_ARG:
      return module === "builtins" && name === "set" ? raiseSet(content, reader) : undefined;
    case Ext.POS_ARGS: {
      if (module === "langgraph.types" && name === "Send") return raiseSend(content, reader);
      if (module !== "re" || name !== "compile") return undefined;
      const [source, flags] = reader.list(content);
      const pattern = regExpFromPython(reader.text(source), flags);
      return pattern === undefined ? undefined : reader.enter(pattern);
    }
    case Ext.KW_ARGS:
      if (module !== "langgraph.types") return undefined;
      if (name === "Command") return raiseCommand(content, reader);
      return name === "Overwrite" ? raiseOverwrite(content, reader) : undefined;
    case Ext.METHOD: {
      if (module !== "datetime" || name !== "datetime" || reader.text(items[3]) !== "fromisoformat")
        return undefined;
      const date = dateFromIso(reader.text(content));
      return date === undefined ? undefined : reader.enter(date);
    }
    case Ext.PYDANTIC_V2:
      if (module === DOCUMENT.module && name === DOCUMENT.name)
        return raiseDocument(content, reader);
      return module.startsWith("langchain_core.messages.")
        ? raisePydanticMessage(name, content, reader)
        : undefined;
    default:
      return undefined;
  }
}

/** What `types` makes of it, or undefined. */
function raiseUser(
  code: number,
  key: TypeKey,
  content: unknown,
  reader: Reader,
): object | undefined {
  const type = reader.context.types.forKey(key);
  if (type === undefined) return undefined;
  if (code === Ext.SINGLE_ARG) return raiseArgumentInstance(type, content, reader);
  if (code === Ext.KW_ARGS || code === Ext.PYDANTIC_V1 || code === Ext.PYDANTIC_V2)
    return raiseRecordInstance(type, content, reader);
  return undefined;
}

function block(
  code: number,
  key: TypeKey,
  items: readonly unknown[],
  bytes: Uint8Array | undefined,
  reader: Reader,
): object {
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
  return raiseInert(code, key, items, bytes, reader);
}
