import { SerdeError } from "../errors.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { define } from "../define.ts";
import { buildDeltaSnapshot, buildStoredMessage } from "../langgraph.ts";

/** LangChain's mark around a user's data. */
const ESCAPED = "__lc_escaped__";

/**
 * Revive a payload of LangGraph.js' stock serializer.
 *
 * Its envelopes (`lc: 1`, `lc: 2`) stand for a closed set of classes; any other stays the data that
 * it is. Nothing is looked up or called by a name from the payload, and the environment is not read.
 */
export function loadLegacyJson(bytes: Uint8Array, limits: Limits): unknown {
  if (bytes.length > limits.maxBytes) {
    throw limitExceeded("maxBytes", `The payload has ${bytes.length} bytes`, limits);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SerdeError(
      { code: "malformed_payload", path: "", message: "Not a readable payload: broken JSON text" },
      { cause },
    );
  }
  return revive(parsed, limits, 0);
}

function revive(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > limits.maxDepth)
    throw limitExceeded("maxDepth", "The payload is nested too deep", limits);
  if (Array.isArray(value)) return value.map((item) => revive(item, limits, depth + 1));
  const record: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    define(record, key, revive(item, limits, depth + 1));
  if (record.lc === 2) return reviveOwn(record, limits);
  if (record.lc === 1 && record.type === "constructor") return reviveLangChain(record);
  return record;
}

/** LangGraph's envelopes for what JSON lacks. */
function reviveOwn(record: Record<string, unknown>, limits: Limits): unknown {
  if (record.type === "undefined") return undefined;
  if (record.type === "delta_snapshot" && Object.hasOwn(record, "value")) {
    return Object.assign(buildDeltaSnapshot(), { value: record.value });
  }
  if (record.type !== "constructor" || !Array.isArray(record.id) || record.id.length !== 1)
    return record;
  const { args, method } = record;
  if (!Array.isArray(args) || !(method === undefined || method === null || method === "from"))
    return record;
  switch (record.id[0]) {
    case "Set":
      return isList(args[0]) && countNumbers(args[0]) <= limits.maxNumericKeys
        ? new Set(args[0])
        : record;
    case "Map":
      return isPairs(args[0]) && countNumbers(args[0].map(([key]) => key)) <= limits.maxNumericKeys
        ? new Map(args[0])
        : record;
    case "RegExp":
      return reviveRegExp(args) ?? record;
    case "Error":
      return typeof args[0] === "string" ? withoutStack(new Error(args[0])) : record;
    case "Uint8Array":
      return isList(args[0]) && args[0].every(isByte)
        ? Uint8Array.from(args[0] as number[])
        : record;
    default:
      return record;
  }
}

function reviveLangChain(record: Record<string, unknown>): unknown {
  const { id, kwargs } = record;
  if (!Array.isArray(id) || !isRecord(kwargs)) return record;
  const path = id.slice(0, -1).join(".");
  const name: unknown = id.at(-1);
  if (typeof name !== "string" || !/^langchain(_core)?\.(messages|schema)$/.test(path))
    return record;
  return buildStoredMessage(name, unescape(kwargs) as Record<string, unknown>) ?? record;
}

/** Newer versions of LangChain wrap a user's data that looks like an envelope. */
function unescape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unescape);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (Object.keys(value).length === 1 && isRecord(value[ESCAPED])) return value[ESCAPED];
  const record: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) define(record, key, unescape(item));
  return record;
}

function reviveRegExp([source, flags]: readonly unknown[]): RegExp | undefined {
  if (typeof source !== "string" || typeof flags !== "string") return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function withoutStack(error: Error): Error {
  define(error, "stack", `Error: ${error.message}`, false);
  return error;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isPairs(value: unknown): value is [unknown, unknown][] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
}

function isByte(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

function countNumbers(keys: readonly unknown[]): number {
  return keys.filter((key) => typeof key === "number").length;
}
