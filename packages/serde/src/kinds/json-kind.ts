import { types } from "node:util";
import { ERROR_PROTOTYPES } from "../extensions/error.ts";
import { isInert } from "../inert.ts";
import {
  documentPrototype,
  foreignMessageKind,
  messageKindOf,
  ownPrototypeOf,
  overwritePrototype,
  sendPrototype,
  commandPrototype,
  deltaSnapshotPrototype,
} from "../langgraph.ts";
import { classNameOf, refusedKindOf } from "./refusal.ts";
import type { KindId } from "./kinds.ts";

/** An object as the JSON contract sees it: one of its own two containers, or a kind that it lacks. */
export interface JsonKind {
  readonly kind: KindId | "record" | "list";
  readonly className: string;
}

const RECORD: JsonKind = { kind: "record", className: "Object" };
const LIST: JsonKind = { kind: "list", className: "Array" };

/** What an object is. No getter and no method of it runs. */
export function jsonKindOf(value: object): JsonKind {
  if (types.isProxy(value)) return { kind: "proxy", className: "Proxy" };
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype) return RECORD;
  if (prototype === null) return { kind: "nullPrototype", className: "Object" };
  if (prototype === Array.prototype && Array.isArray(value)) return LIST;
  const className = classNameOf(value);
  const kind = builtinKind(value, className) ?? langChainKind(value, prototype);
  if (kind !== undefined) return { kind, className };
  // Containers of another realm: a vm context, a test runner's sandbox.
  if (Array.isArray(value) && className === "Array") return LIST;
  if (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf"))
    return RECORD;
  if (BUILTINS.has(prototype)) return { kind: "forged", className };
  return refusedKindOf(value);
}

/** What has one of these as its prototype and is of another kind only looks like one. */
const BUILTINS: ReadonlySet<object> = new Set([
  Array.prototype,
  Date.prototype,
  Map.prototype,
  Set.prototype,
  RegExp.prototype,
  ArrayBuffer.prototype,
  DataView.prototype,
  ...ERROR_PROTOTYPES.keys(),
]);

/** Built-ins of this realm or another, but none of a class that extends one. */
function builtinKind(value: object, className: string): KindId | undefined {
  if (types.isDate(value)) return className === "Date" ? "date" : undefined;
  if (types.isMap(value)) return className === "Map" ? mapKind(value) : undefined;
  if (types.isSet(value)) return className === "Set" ? "set" : undefined;
  if (types.isRegExp(value)) return className === "RegExp" ? "regexp" : undefined;
  if (types.isNativeError(value)) return /^(?:\w+)?Error$/.test(className) ? "error" : undefined;
  if (types.isArrayBuffer(value) || types.isDataView(value)) return "bytes";
  if (types.isUint8Array(value) || types.isUint8ClampedArray(value)) return "bytes";
  if (types.isTypedArray(value)) return "typedArray";
  return URL.prototype === Object.getPrototypeOf(value) ? "url" : undefined;
}

function mapKind(map: ReadonlyMap<unknown, unknown>): KindId {
  for (const key of Map.prototype.keys.call(map)) if (typeof key !== "string") return "map";
  return "textMap";
}

function langChainKind(value: object, prototype: object): KindId | undefined {
  if (isInert(value)) return "inert";
  if (messageKindOf(prototype) !== undefined || foreignMessageKind(value, prototype) !== undefined)
    return "message";
  const own = ownPrototypeOf(value, prototype) ?? prototype;
  if (own === documentPrototype) return "document";
  const controls = [sendPrototype, commandPrototype, overwritePrototype, deltaSnapshotPrototype];
  return controls.includes(own) ? "control" : undefined;
}
