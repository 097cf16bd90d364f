import { types } from "node:util";
import { InertValue } from "../inert.ts";
import { Place } from "../place.ts";
import {
  commandPrototype,
  deltaSnapshotPrototype,
  documentPrototype,
  foreignMessageKind,
  MESSAGE_KINDS,
  ownPrototypeOf,
  overwritePrototype,
  sendPrototype,
} from "../langgraph.ts";
import type { ValueWriter } from "./value-writer.ts";
import { dumpArrayBuffer, dumpBuffer, dumpClamped, dumpDataView, dumpUint8Array } from "./bytes.ts";
import { dumpCommand, dumpOverwrite } from "./command.ts";
import { dumpDate } from "./date.ts";
import { dumpDeltaSnapshot } from "./delta-snapshot.ts";
import { dumpDocument } from "./document.ts";
import { dumpError, ERROR_PROTOTYPES } from "./error.ts";
import { dumpInert } from "./inert.ts";
import { dumpMap } from "./map.ts";
import { dumpMessage } from "./message.ts";
import { dumpPlace } from "./place.ts";
import { dumpPythonRecord, PYTHON_RECORDS, pythonRecordTypeOf } from "./python-record.ts";
import { dumpRegExp } from "./regexp.ts";
import { dumpSend } from "./send.ts";
import { dumpSet } from "./set.ts";
import { dumpTypedArray, TYPED_ARRAYS } from "./typed-array.ts";
import { dumpUrl } from "./url.ts";

/** Writes one kind of object; it is given only objects of its kind. */
export type Dump = (value: never, writer: ValueWriter) => void;

/** The dump of every built-in kind, by prototype. */
export function builtinDumps(errorStacks: boolean): Map<object, Dump> {
  const dumps = new Map<object, Dump>([
    [Array.prototype, dumpList],
    [Map.prototype, dumpMap],
    [Set.prototype, dumpSet],
    [Date.prototype, dumpDate],
    [RegExp.prototype, dumpRegExp],
    [URL.prototype, dumpUrl],
    [Uint8Array.prototype, dumpUint8Array],
    [Buffer.prototype, dumpBuffer],
    [Uint8ClampedArray.prototype, dumpClamped],
    [ArrayBuffer.prototype, dumpArrayBuffer],
    [DataView.prototype, dumpDataView],
    [InertValue.prototype, dumpInert],
    [Place.prototype, dumpPlace],
    [sendPrototype, dumpSend],
    [commandPrototype, dumpCommand],
    [overwritePrototype, dumpOverwrite],
    [documentPrototype, dumpDocument],
  ]);
  if (deltaSnapshotPrototype !== undefined) dumps.set(deltaSnapshotPrototype, dumpDeltaSnapshot);
  for (const [kind, { prototype }] of TYPED_ARRAYS) dumps.set(prototype, dumpTypedArray(kind));
  for (const [prototype, name] of ERROR_PROTOTYPES)
    dumps.set(prototype, dumpError(name, errorStacks));
  for (const type of PYTHON_RECORDS.values()) dumps.set(type.prototype, dumpPythonRecord(type));
  for (const kind of MESSAGE_KINDS.values()) dumps.set(kind.prototype, dumpMessage(kind));
  return dumps;
}

/**
 * The dump for an object whose prototype is not one of ours: a built-in of another realm (a vm
 * context, a test runner's sandbox), or LangChain's from another copy of the package. Subclasses
 * are not among them.
 */
export function foreignDump(
  value: object,
  prototype: object,
  dumps: ReadonlyMap<object, Dump>,
): Dump | undefined {
  if (InertValue.is(value)) return dumpInert;
  if (Place.is(value)) return dumpPlace;
  const python = pythonRecordTypeOf(value);
  if (python !== undefined) return dumpPythonRecord(python);
  const message = foreignMessageKind(value, prototype);
  if (message !== undefined) return dumps.get(message.prototype);
  const own = ownPrototypeOf(value, prototype);
  if (own !== undefined) return dumps.get(own);
  return foreignBuiltin(value, prototype, dumps);
}

function foreignBuiltin(
  value: object,
  prototype: object,
  dumps: ReadonlyMap<object, Dump>,
): Dump | undefined {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  if (parent === null) return Object.hasOwn(prototype, "isPrototypeOf") ? dumpRecord : undefined;
  const grandparent = Object.getPrototypeOf(parent) as object | null;
  // A built-in stands right below Object.prototype; typed arrays and the named errors one level deeper.
  const depth = grandparent === null ? 1 : Object.getPrototypeOf(grandparent) === null ? 2 : 3;
  const name = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value?.name as unknown;
  const own = typeof name === "string" ? OWN.get(name) : undefined;
  if (own === undefined || own.depth !== depth || !own.is(value)) return undefined;
  return dumps.get(own.prototype);
}

function dumpRecord(value: Record<string, unknown>, writer: ValueWriter): void {
  writer.record(value);
}

function dumpList(value: readonly unknown[], writer: ValueWriter): void {
  writer.list(value);
}

interface OwnBuiltin {
  readonly prototype: object;
  readonly depth: number;
  readonly is: (value: object) => boolean;
}

const OWN: ReadonlyMap<string, OwnBuiltin> = new Map<string, OwnBuiltin>([
  ["Array", { prototype: Array.prototype, depth: 1, is: Array.isArray }],
  ["Map", { prototype: Map.prototype, depth: 1, is: types.isMap }],
  ["Set", { prototype: Set.prototype, depth: 1, is: types.isSet }],
  ["Date", { prototype: Date.prototype, depth: 1, is: types.isDate }],
  ["RegExp", { prototype: RegExp.prototype, depth: 1, is: types.isRegExp }],
  ["ArrayBuffer", { prototype: ArrayBuffer.prototype, depth: 1, is: types.isArrayBuffer }],
  ["DataView", { prototype: DataView.prototype, depth: 1, is: types.isDataView }],
  ["Uint8Array", { prototype: Uint8Array.prototype, depth: 2, is: types.isUint8Array }],
  [
    "Uint8ClampedArray",
    { prototype: Uint8ClampedArray.prototype, depth: 2, is: types.isUint8ClampedArray },
  ],
  ...[...TYPED_ARRAYS.values()].map(({ prototype }) => {
    const name = (prototype.constructor as { name: string }).name;
    return [name, { prototype, depth: 2, is: types.isTypedArray }] as [string, OwnBuiltin];
  }),
  ...[...ERROR_PROTOTYPES].map(
    ([prototype, name]) =>
      [name, { prototype, depth: name === "Error" ? 1 : 2, is: types.isNativeError }] as [
        string,
        OwnBuiltin,
      ],
  ),
]);
