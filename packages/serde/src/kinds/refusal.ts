import { types } from "node:util";
import type { SerdeErrorCode } from "../errors.ts";
import { fill, KINDS, type RefusedKindId } from "./kinds.ts";

interface Refusal {
  readonly code: SerdeErrorCode;
  readonly message: string;
  readonly className: string;
}

/**
 * Why a value can't be stored and what to do instead; looks at its kind, never at its content.
 * `namedAt` is where a schema names its class.
 */
export function refusal(value: unknown, namedAt?: string): Refusal {
  const { kind, className } = refusedKindOf(value);
  const { what, msgpack } = KINDS[kind];
  const toJson =
    kind === "instance" && typeof (value as { toJSON?: unknown }).toJSON === "function"
      ? " (or store what its toJSON() gives)"
      : "";
  const unlisted =
    namedAt === undefined
      ? ", which is not in types"
      : `, which the schema of ${namedAt} names and types does not`;
  const refused = kind === "instance" ? unlisted : " can't be stored";
  return {
    code: msgpack.code,
    className,
    message: `${fill(what, className)}${refused}; ${fill(msgpack.conversion, className)}${toJson}`,
  };
}

/** The kind of a value that nothing writes, with the name of its class. */
export function refusedKindOf(value: unknown): {
  readonly kind: RefusedKindId;
  readonly className: string;
} {
  if (typeof value === "function") return { kind: "function", className: "Function" };
  if (typeof value === "symbol") return { kind: "symbol", className: "Symbol" };
  const object = value as object;
  if (types.isProxy(object)) return { kind: "proxy", className: "Proxy" };
  const className = classNameOf(object);
  return { kind: refusedObject(object, className), className };
}

function refusedObject(object: object, className: string): RefusedKindId {
  if (types.isPromise(object)) return "promise";
  if (types.isWeakMap(object) || types.isWeakSet(object) || className === "WeakRef") return "weak";
  if (types.isSharedArrayBuffer(object)) return "shared";
  if (types.isBoxedPrimitive(object)) return "boxed";
  return isLive(object) ? "live" : "instance";
}

/** The class's own name; only plain data properties are read, so that no getter of the value runs. */
export function classNameOf(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null) return "Object";
  const constructor = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown;
  const name =
    typeof constructor === "function"
      ? Object.getOwnPropertyDescriptor(constructor, "name")?.value
      : undefined;
  return typeof name === "string" && name !== "" ? name.slice(0, 100) : "(anonymous)";
}

/** Streams, sockets, processes, iterators and the like: they have methods of a thing that runs. */
function isLive(object: object): boolean {
  return ["pipe", "getReader", "kill", "next", "addEventListener", "emit"].some((method) => {
    for (
      let at: object | null = object;
      at !== null;
      at = Object.getPrototypeOf(at) as object | null
    ) {
      const descriptor = Object.getOwnPropertyDescriptor(at, method);
      if (descriptor !== undefined) return typeof descriptor.value === "function";
    }
    return false;
  });
}
