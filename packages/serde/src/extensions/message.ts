import { encode } from "@msgpack/msgpack";
import { define } from "../define.ts";
import {
  blankMessage,
  fillMessage,
  MESSAGE_KINDS,
  type MessageKind,
  SYMBOLS_OF_MESSAGE,
} from "../langgraph.ts";
import type { MessageMaker } from "../message-maker.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext, messageDefaults } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import { type MessagePlan, MessagePlans } from "./message-plan.ts";
import type { EncodedKey } from "./key-list.ts";

type Fields = Record<string, unknown>;

const METHOD = "model_validate_json";
const METHOD_BYTES = encode(METHOD);
const OBJECT = Object.prototype;
const ARRAY = Array.prototype;
const NONE: Fields = Object.freeze({});
/** How the content blocks of a message stand to its content: absent, in its place, or beside it. */
const Blocks = { NONE: 0, ALONE: 1, BESIDE: 2 } as const;
type Blocks = (typeof Blocks)[keyof typeof Blocks];
/** In place of a value that is not written. */
const OMITTED = Symbol("omitted");

/**
 * A LangChain message: the record from which LangChain itself would build it (`lc_kwargs`), with the
 * instance's present values.
 *
 * A key whose value is undefined is nil, as Python writes what is unset; containers that every
 * message has are left out while they are empty. What that can't say (null, fields that the record
 * lacks) takes our own form.
 */
export function dumpMessage(kind: MessageKind): (value: object, writer: ValueWriter) => void {
  const plans = new MessagePlans(kind);
  const head = encode([kind.module, kind.name, null, METHOD]);
  const start = head.subarray(0, head.length - METHOD_BYTES.length - 1);
  return (value, writer) => {
    const message = value as Fields;
    if (
      Object.getOwnPropertySymbols(message).length > SYMBOLS_OF_MESSAGE &&
      writer.loses("a message with symbol keys; use string keys", kind.name)
    )
      return writer.nil();
    const kwargs = argumentsOf(message);
    const plan = plans.find(message, kwargs, writer);
    const present = Object.values(message);
    const values = plan.values(present, kwargs);
    const loose = plan.loose(present);
    const { list } = plan;
    if (list === undefined || loose.length > 0 || values.includes(null) || !hasDefaults(plan)) {
      writer.begin(Ext.MESSAGE);
      writeOwnForm(kind, plan.keys, values, loose, writer);
      return writer.end();
    }
    const omitted = omitEmpty(plan.defaultPlaces, values, writer);
    writer.begin(Ext.PYDANTIC_V2);
    writer.raw(start, 4);
    writer.map(values.length - omitted);
    for (let i = 0; i < values.length; i++) {
      const field = values[i];
      if (field === OMITTED) continue;
      writer.key(list.encoded[i] as EncodedKey);
      if (field === undefined) writer.nil();
      else writer.child(list.keys[i] as string, field);
    }
    writer.raw(METHOD_BYTES);
    writer.end();
  };
}

/** A message of a class that extends `kind`'s. */
export function writeMessage(kind: MessageKind, message: Fields, writer: ValueWriter): void {
  const kwargs = argumentsOf(message);
  const plan = new MessagePlans(kind).find(message, kwargs, writer);
  const present = Object.values(message);
  writeOwnForm(kind, plan.keys, plan.values(present, kwargs), plan.loose(present), writer);
}

function writeOwnForm(
  kind: MessageKind,
  keys: readonly string[],
  values: readonly unknown[],
  loose: readonly (readonly [key: string, value: unknown])[],
  writer: ValueWriter,
): void {
  writer.array(3);
  writer.text(kind.name);
  writer.map(keys.length);
  keys.forEach((key, i) => {
    writer.text(key);
    writer.child(key, values[i]);
  });
  writer.map(loose.length);
  for (const [key, value] of loose) {
    writer.text(key);
    writer.child(key, value);
  }
}

/** What LangChain keeps of the arguments of a message's constructor. */
function argumentsOf(message: Fields): Fields {
  const kwargs = message.lc_kwargs;
  return typeof kwargs === "object" && kwargs !== null ? (kwargs as Fields) : NONE;
}

function hasDefaults({ defaultPlaces }: MessagePlan): boolean {
  for (const place of defaultPlaces) if (place < 0) return false;
  return true;
}

/** Mark the containers that need no writing; each has its number all the same. */
function omitEmpty(places: readonly number[], values: unknown[], writer: ValueWriter): number {
  let omitted = 0;
  for (const place of places) {
    const value = values[place] as object;
    if (isEmpty(value) && writer.enter(value)) {
      values[place] = OMITTED;
      omitted++;
    } else {
      writer.skipNumber();
    }
  }
  return omitted;
}

/** Whether a value is as the class makes it: a plain record or array with nothing in it. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value) ? value.length > 0 || prototype !== ARRAY : prototype !== OBJECT)
    return false;
  return Object.keys(value).length === 0 && Object.getOwnPropertySymbols(value).length === 0;
}

/** A message from Python's layout, or undefined when the name is not one of LangChain's here. */
export function raisePydanticMessage(name: string, reader: ValueReader): object | undefined {
  const kind = MESSAGE_KINDS.get(name);
  if (kind === undefined) return undefined;
  const { maker: Maker } = kind;
  // What refers to its objects by number must have the message before its contents.
  const begun =
    Maker === undefined || reader.isGraph ? reader.enter(blankMessage(kind)) : undefined;
  const defaults = messageDefaults(kind.name);
  const empties = reader.isGraph ? defaults.map((key) => reader.enter(emptyDefault(key))) : [];
  const kwargs: Fields = {};
  const blocks = readArguments(kwargs, true, reader);
  for (let i = 0; i < defaults.length; i++) {
    const key = defaults[i] as string;
    if (!Object.hasOwn(kwargs, key)) kwargs[key] = empties[i] ?? emptyDefault(key);
  }
  const message = begun ?? new (Maker as MessageMaker)(kwargs);
  if (begun !== undefined) fillMessage(kind, begun, kwargs);
  placeBlocks(kwargs, blocks);
  return message;
}

/** A message from our own layout; of a class that extends LangChain's when its prototype is given. */
export function raiseMessage(reader: ValueReader, prototype?: object): object {
  reader.array(3);
  const kind = MESSAGE_KINDS.get(reader.text());
  if (kind === undefined) throw reader.malformed("a message of an unknown class");
  const message = reader.enter(blankMessage(kind, prototype));
  const kwargs: Fields = {};
  const blocks = readArguments(kwargs, false, reader);
  fillMessage(kind, message, kwargs);
  for (const key of messageDefaults(kind.name)) {
    if (message[key] === undefined && !Object.hasOwn(kwargs, key)) message[key] = emptyDefault(key);
  }
  placeBlocks(kwargs, blocks);
  reader.fields((key, value) => define(message, key, value));
  return message;
}

/** Read the arguments; says what of them is to be taken from the content. */
function readArguments(kwargs: Fields, nilIsUnset: boolean, reader: ValueReader): Blocks {
  const size = reader.map();
  let blocks = -1;
  let content = -1;
  for (let i = 0; i < size; i++) {
    const key = reader.text();
    const value = nilIsUnset && reader.isNil() ? undefined : reader.child(key);
    if (key === "__proto__") define(kwargs, key, value);
    else kwargs[key] = value;
    if (key === "content") content = i;
    else if (key === "contentBlocks" && value === undefined) blocks = i;
  }
  if (blocks < 0 || content < 0) return Blocks.NONE;
  return blocks < content ? Blocks.ALONE : Blocks.BESIDE;
}

/** Once the message has its content: put that in place of the content blocks it was built from. */
function placeBlocks(kwargs: Fields, blocks: Blocks): void {
  if (blocks === Blocks.NONE) return;
  kwargs.contentBlocks = kwargs.content;
  // See MessagePlans: in this order it was built from the blocks alone.
  if (blocks === Blocks.ALONE) delete kwargs.content;
}

function emptyDefault(key: string): object {
  return key.endsWith("tool_calls") ? [] : {};
}
