import { types } from "node:util";

/** How a value is cut: `list`, `record` and `map` into their items; a wrapper hands on what it wraps. */
export type Kind = "list" | "record" | "map" | "wrapper";

/** Smaller collections stay in one part. */
const OPEN_BYTES = 2048;
/** Lists and records of numbers and short texts alone: vectors and the like rarely change in part. */
const OPEN_PLAIN_BYTES = 32 * 1024;
/** What an object of a class takes, more or less. */
const OBJECT_BYTES = 300;
/** Texts from this length on are parts of their own. */
export const BIG_TEXT = 4096;

/** The kind of a collection; undefined for what is always one part. */
export function kindOf(value: object): Kind | undefined {
  if (Array.isArray(value)) return "list";
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype || prototype === null) return "record";
  if (types.isMap(value)) return hasPlainKeys(value) ? "map" : undefined;
  return isSend(value) || nameOf(value) === "DeltaSnapshot" ? "wrapper" : undefined;
}

export function isSend(value: object): boolean {
  return nameOf(value) === "Send" && Object.getPrototypeOf(value) !== Object.prototype;
}

/** The name that LangGraph gives its own objects. */
function nameOf(value: object): unknown {
  return Object.getOwnPropertyDescriptor(value, "lg_name")?.value as unknown;
}

/** Whether a collection inside of a value is worth cutting. Looks at a bounded part of it. */
export function opens(value: object, kind: Kind): boolean {
  const rough = new RoughSize(OPEN_PLAIN_BYTES);
  rough.add(value, kind);
  return rough.bytes >= (rough.hasObjects ? OPEN_BYTES : OPEN_PLAIN_BYTES);
}

/** Whether a collection's document will list its keys and values one after another. */
export function hasPlainForm(object: object, kind: Kind): boolean {
  if (kind === "wrapper") return false;
  if (kind !== "record") return true;
  return Object.keys(object).every(
    (key) => key !== "__proto__" && (key as string & { isWellFormed(): boolean }).isWellFormed(),
  );
}

/** Counts until the limit is reached. Reads no getters. */
class RoughSize {
  bytes = 0;
  hasObjects = false;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get #isDone(): boolean {
    return this.bytes >= (this.hasObjects ? OPEN_BYTES : this.#limit);
  }

  add(value: object, kind: Kind, depth = 0): void {
    if (kind === "map") {
      for (const [, item] of value as Map<unknown, unknown>) if (this.#item(item, depth)) return;
      return;
    }
    if (kind === "list") {
      for (const item of value as readonly unknown[]) if (this.#item(item, depth)) return;
      return;
    }
    for (const key in value) {
      const item = Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
      this.bytes += key.length;
      if (this.#item(item, depth)) return;
    }
  }

  /** True when enough is known. */
  #item(item: unknown, depth: number): boolean {
    if (typeof item === "string") {
      this.bytes += item.length + 1;
      if (item.length >= BIG_TEXT) this.hasObjects = true;
    } else if (typeof item === "object" && item !== null) {
      this.hasObjects = true;
      const kind = depth < 8 ? kindOf(item) : undefined;
      if (types.isUint8Array(item)) this.bytes += item.length;
      else if (kind === undefined) this.bytes += OBJECT_BYTES;
      else this.add(item, kind, depth + 1);
    } else this.bytes += 4;
    return this.#isDone;
  }
}

function hasPlainKeys(map: Map<unknown, unknown>): boolean {
  for (const key of map.keys()) if (typeof key === "object" && key !== null) return false;
  return true;
}
