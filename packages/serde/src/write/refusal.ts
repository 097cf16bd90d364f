import { types } from "node:util";
import type { SerdeErrorCode } from "../errors.ts";

interface Refusal {
  readonly code: SerdeErrorCode;
  readonly message: string;
  readonly className?: string;
}

const LIVE_ADVICE = "mark its field untracked(…), or keep it in a resource";

/** Why a value can't be stored and what to do instead; looks at its kind, never at its content. */
export function refusal(value: unknown): Refusal {
  if (typeof value === "function")
    return unsupported(`a function can't be stored; ${LIVE_ADVICE}`, "Function");
  if (typeof value === "symbol")
    return unsupported("a symbol can't be stored; use a string", "Symbol");
  const object = value as object;
  const name = className(object);
  if (types.isProxy(object))
    return unsupported(`a Proxy can't be stored; store the object behind it`, "Proxy");
  if (types.isPromise(object))
    return unsupported("a promise can't be stored; await it first", name);
  if (types.isWeakMap(object) || types.isWeakSet(object) || name === "WeakRef") {
    return unsupported(`a weak collection (${name}) can't be stored; ${LIVE_ADVICE}`, name);
  }
  if (types.isSharedArrayBuffer(object))
    return unsupported("memory that is shared between threads can't be stored; store a copy", name);
  if (types.isBoxedPrimitive(object))
    return unsupported(`a boxed ${name} can't be stored; use the primitive`, name);
  if (isLive(object)) return unsupported(`a live ${name} can't be stored; ${LIVE_ADVICE}`, name);
  const toJson =
    typeof (object as { toJSON?: unknown }).toJSON === "function"
      ? " (or store what its toJSON() gives)"
      : "";
  return {
    code: "unregistered_class",
    className: name,
    message: `an instance of class ${name}, which is not in types; add it: types: { ${identifier(name)} }${toJson}`,
  };
}

function unsupported(message: string, className: string): Refusal {
  return { code: "unsupported_type", message, className };
}

/** The class's own name; only plain data properties are read, so that no getter of the value runs. */
function className(object: object): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === null) return "Object";
  const constructor = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value as unknown;
  const name =
    typeof constructor === "function"
      ? Object.getOwnPropertyDescriptor(constructor, "name")?.value
      : undefined;
  return typeof name === "string" && name !== "" ? name.slice(0, 100) : "(anonymous)";
}

function identifier(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : "MyClass";
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
