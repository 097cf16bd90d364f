import { types } from "node:util";
import type { SerdeErrorCode } from "../errors.ts";
import { isClass } from "../types/any-class.ts";
import { lossOfFields } from "../types/class-checks.ts";
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
  const conversion =
    (kind === "instance" ? needsDefinition(value as object, className) : undefined) ??
    fill(msgpack.conversion, className);
  return {
    code: msgpack.code,
    className,
    message: `${fill(what, className)}${refused}; ${conversion}${toJson}`,
  };
}

/** What to do with a class of which storing the own fields would lose something. */
function needsDefinition(object: object, className: string): string | undefined {
  const constructor = constructorOf(object);
  const loss = isClass(constructor) ? lossOfFields(constructor) : undefined;
  if (loss === undefined) return undefined;
  const [why] = loss.split(";");
  return `it ${why}: store what you need of it, or add a definition with dump and load: types: { ${className}: defineType({ … }) }`;
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
  if (Object.getPrototypeOf(object) === null) return "Object";
  const constructor = constructorOf(object);
  const name =
    typeof constructor === "function"
      ? Object.getOwnPropertyDescriptor(constructor, "name")?.value
      : tagOf(object);
  return typeof name === "string" && name !== "" ? name.slice(0, 100) : "(anonymous)";
}

function constructorOf(object: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null
    ? undefined
    : Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
}

/** What iterators and the like call themselves, which have no class. */
function tagOf(object: object): unknown {
  for (
    let at = Object.getPrototypeOf(object) as object | null;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    const tag = Object.getOwnPropertyDescriptor(at, Symbol.toStringTag);
    if (tag !== undefined) return tag.value;
  }
  return undefined;
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
