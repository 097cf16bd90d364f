import {
  blankMessage,
  isConstant,
  isInstanceField,
  MESSAGE_KINDS,
  type MessageKind,
} from "../langgraph.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { define } from "./record.ts";

const METHOD = "model_validate_json";

/**
 * A LangChain message: the record from which LangChain itself would build it (`lc_kwargs`), with the
 * instance's present values. A key whose value is undefined is nil, as Python writes what is unset.
 * What that can't say (null, fields that the record lacks) takes our own form.
 */
export function dumpMessage(kind: MessageKind): (value: object, writer: Writer) => void {
  return (value, writer) => {
    const message = value as Record<string, unknown>;
    const stored = Object.getOwnPropertyDescriptor(message, "lc_kwargs")?.value as unknown;
    const kwargs = (typeof stored === "object" && stored !== null ? stored : {}) as Record<
      string,
      unknown
    >;
    const keys = Object.keys(kwargs);
    const values = keys.map((key) =>
      Object.hasOwn(message, key) && !isConstant(key) ? message[key] : kwargs[key],
    );
    const loose = looseFields(message, kind, new Set(keys));
    const plain =
      loose.length === 0 && !values.includes(null) && keys.every((key) => key !== "__proto__");
    const writeValues = (): void => {
      writer.sink.map(keys.length);
      keys.forEach((key, i) => {
        writer.sink.text(key);
        if (plain && values[i] === undefined) writer.sink.nil();
        else writer.child(key, values[i]);
      });
    };
    if (plain) {
      return writer.document(Ext.PYDANTIC_V2, () => {
        writer.typeHead(4, kind.module, kind.name);
        writeValues();
        writer.sink.text(METHOD);
      });
    }
    writer.document(Ext.MESSAGE, () => {
      writer.sink.array(3);
      writer.sink.text(kind.name);
      writeValues();
      writer.sink.map(loose.length);
      for (const key of loose) {
        writer.sink.text(key);
        writer.child(key, message[key]);
      }
    });
  };
}

/** Own fields that differ from a fresh instance's and are not in the kwargs. */
function looseFields(
  message: Record<string, unknown>,
  kind: MessageKind,
  inKwargs: ReadonlySet<string>,
): string[] {
  return Object.keys(message).filter((key) => {
    if (key === "lc_kwargs" || inKwargs.has(key)) return false;
    const fresh = kind.template.get(key);
    if (isConstant(key) && kind.template.has(key)) return !sameConstant(message[key], fresh);
    return !(kind.template.has(key) && message[key] === fresh);
  });
}

function sameConstant(value: unknown, fresh: unknown): boolean {
  return Array.isArray(value) && Array.isArray(fresh)
    ? value.join("\0") === fresh.join("\0")
    : value === fresh;
}

/** A message from Python's layout, or undefined when the name is not one of LangChain's here. */
export function raisePydanticMessage(
  name: string,
  kwargs: unknown,
  reader: Reader,
): object | undefined {
  const kind = MESSAGE_KINDS.get(name);
  return kind === undefined
    ? undefined
    : buildMessage(kind, reader.fields(kwargs), [], reader, true);
}

export function raiseMessage(body: unknown, reader: Reader): object {
  const [name, kwargs, fields] = reader.list(body, 3);
  const kind = MESSAGE_KINDS.get(reader.text(name));
  if (kind === undefined) throw reader.malformed("a message of an unknown class");
  return buildMessage(kind, reader.fields(kwargs), reader.fields(fields), reader, false);
}

type Fields = readonly (readonly [key: string, raw: unknown])[];

function buildMessage(
  kind: MessageKind,
  kwargs: Fields,
  fields: Fields,
  reader: Reader,
  nilIsUnset: boolean,
): object {
  const message = reader.enter(blankMessage(kind));
  const record: Record<string, unknown> = {};
  message.lc_kwargs = record;
  for (const [key, raw] of kwargs) {
    const value = raw === null && nilIsUnset ? undefined : reader.child(key, raw);
    define(record, key, value);
    if (isInstanceField(kind, key)) message[key] = value;
  }
  for (const [key, raw] of fields) define(message, key, reader.child(key, raw));
  return message;
}
