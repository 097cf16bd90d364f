import { define } from "../define.ts";
import { SerdeError } from "../errors.ts";
import { buildDeltaSnapshot, buildStoredMessage } from "../langgraph.ts";
import { type Limits, limitExceeded } from "../limits.ts";
import { reviveConstructor } from "./constructors.ts";

/** LangChain's mark around a user's data that looks like an envelope. */
const ESCAPED = "__lc_escaped__";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Revive a payload of LangGraph.js' stock serializer, or JSON of an old one of Python's.
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
  return new Revival(limits).value(parsed, false);
}

class Revival {
  readonly #limits: Limits;
  #depth = 0;
  #items = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** `escaping` inside of a message, where LangChain marks data that looks like an envelope. */
  value(value: unknown, escaping: boolean): unknown {
    if (++this.#items > this.#limits.maxItems)
      throw limitExceeded("maxItems", "The payload has too many items", this.#limits);
    if (typeof value !== "object" || value === null) return value;
    if (++this.#depth > this.#limits.maxDepth)
      throw limitExceeded("maxDepth", "The payload is nested too deep", this.#limits);
    const revived = Array.isArray(value)
      ? value.map((item) => this.value(item, escaping))
      : this.#record(value as Fields, escaping);
    this.#depth--;
    return revived;
  }

  #record(record: Fields, escaping: boolean): unknown {
    if (escaping && isRecord(record[ESCAPED]) && Object.keys(record).length === 1)
      return record[ESCAPED];
    if (record.lc === 1) return this.#message(record) ?? this.#plain(record, escaping);
    const plain = this.#plain(record, escaping);
    return record.lc === 2 ? this.#own(plain) : plain;
  }

  #plain(record: Fields, escaping: boolean): Fields {
    const plain: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(record)) {
      const value = this.value(item, escaping);
      if (key === "__proto__") define(plain, key, value);
      else plain[key] = value;
    }
    return plain;
  }

  /** LangChain's envelope around a message; undefined for anything else. */
  #message({ type, id, kwargs }: Fields): object | undefined {
    if (type !== "constructor" || !Array.isArray(id) || !isRecord(kwargs)) return undefined;
    const [root, family, ...rest] = id as unknown[];
    const name = rest.pop();
    if (root !== "langchain" && root !== "langchain_core") return undefined;
    if ((family !== "messages" && family !== "schema") || typeof name !== "string")
      return undefined;
    const fields = this.#plain(kwargs, true);
    // Python names the module too, and writes null for what is not set.
    return buildStoredMessage(name, rest.length === 0 ? fields : withoutNulls(fields));
  }

  /** LangGraph's envelopes for what JSON lacks. */
  #own(record: Fields): unknown {
    if (record.type === "undefined") return undefined;
    if (record.type === "delta_snapshot" && Object.hasOwn(record, "value"))
      return Object.assign(buildDeltaSnapshot(), { value: record.value });
    return record.type === "constructor"
      ? (reviveConstructor(record, this.#limits) ?? record)
      : record;
  }
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
