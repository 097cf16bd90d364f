import { define } from "../define.ts";
import type { Limits } from "../limits.ts";

/** A constructor's envelope: which class, and what it was called with. */
interface Envelope {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly args?: unknown;
}

/**
 * The value of an envelope of the closed set that LangGraph.js writes, of sets and UTC datetimes of
 * Python's; undefined for any other.
 */
export function reviveConstructor({ id, method, args }: Envelope, limits: Limits): unknown {
  if (!Array.isArray(id) || !id.every((part) => typeof part === "string")) return undefined;
  if (!Array.isArray(args)) return undefined;
  const [first, second] = args as unknown[];
  switch (id.join(".")) {
    case "Set":
    case "builtins.set":
      return isUnset(method) && isList(first) && fits(first, limits) ? new Set(first) : undefined;
    case "Map":
      return isUnset(method) &&
        isPairs(first) &&
        fits(
          first.map(([key]) => key),
          limits,
        )
        ? new Map(first)
        : undefined;
    case "RegExp":
      return isUnset(method) ? reviveRegExp(first, second) : undefined;
    case "Error":
      return isUnset(method) && typeof first === "string" ? buildError(first) : undefined;
    case "Uint8Array":
      return isList(first) && first.every(isByte) ? Uint8Array.from(first as number[]) : undefined;
    case "datetime.datetime":
      return method === "fromisoformat" ? reviveDate(first) : undefined;
    default:
      return undefined;
  }
}

function isUnset(method: unknown): boolean {
  return method === undefined || method === null;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isPairs(value: unknown): value is [unknown, unknown][] {
  return isList(value) && value.every((pair) => isList(pair) && pair.length === 2);
}

function isByte(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** Whether the keys are few enough that they can't have been chosen to collide. */
function fits(keys: readonly unknown[], limits: Limits): boolean {
  return keys.filter((key) => typeof key === "number").length <= limits.maxNumericKeys;
}

function reviveRegExp(source: unknown, flags: unknown): RegExp | undefined {
  if (typeof source !== "string" || typeof flags !== "string") return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Where it is built says nothing about where it was thrown. */
function buildError(message: string): Error {
  const error = new Error(message);
  define(error, "stack", `Error: ${message}`, false);
  return error;
}

function reviveDate(text: unknown): Date | undefined {
  if (typeof text !== "string" || !text.endsWith("+00:00")) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
