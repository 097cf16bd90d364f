/**
 * The wire contract: every MessagePack extension code, in order.
 *
 * A payload is one MessagePack document. A code is never reused and its layout never changes;
 * a new need gets a new code. Codes 0–7 are those of LangGraph for Python's `JsonPlusSerializer`,
 * same layout. Codes from 16 are ours: a document that holds one carries the tag `msgpack+js`, so
 * that Python raises instead of reading `None`.
 *
 * In a layout, `doc` is one MessagePack value; everything else is raw bytes.
 */
export const Ext = {
  /** doc `[module, name, arg, version?]`: `Set` as `builtins.set`; classes whose dump is not a record. */
  SINGLE_ARG: 0,
  /** doc `[module, name, args[]]`: `Send`, `RegExp` with flags that Python has. */
  POS_ARGS: 1,
  /** doc `[module, name, kwargs, version?]`: classes in `types`, `Command`, `Overwrite`. */
  KW_ARGS: 2,
  /** doc `[module, name, arg, method]`: `Date` through `fromisoformat`. No other method is honoured. */
  METHOD: 3,
  /** doc `[module, name, kwargs]`, Pydantic 1 and store items: read, and written again only. */
  PYDANTIC_V1: 4,
  /** doc `[module, name, kwargs, "model_validate_json"]`: LangChain messages and `Document`. */
  PYDANTIC_V2: 5,
  /** doc `[dtype, shape, order, bytes]`: typed arrays. */
  NUMPY: 6,
  /** doc `value`: `DeltaSnapshot`. */
  DELTA_SNAPSHOT: 7,

  /** one byte, see {@link Special}: values that have no content. */
  SPECIAL: 16,
  /** sign byte (0 or 1), magnitude big-endian: BigInts that no native integer form keeps apart. */
  BIGINT: 17,
  /** kind byte, see {@link ByteKind}, then the bytes: everything binary but `Uint8Array` and typed arrays. */
  BYTES: 18,
  /** UTF-16 code units, little-endian: strings with lone surrogates. */
  TEXT: 19,
  /** doc `[k, v, k, v, …]`: `Map`. */
  MAP: 20,
  /** doc `[item, …]`: a `Set` that Python's `set` would not keep. */
  SET: 21,
  /** doc `[prototype, k, v, k, v, …]`, prototype 0 `Object.prototype`, 1 null: records that a map can't hold. */
  RECORD: 22,
  /** doc `[class, message, hidden, fields]`: the built-in `Error` classes; own properties by enumerability. */
  ERROR: 23,
  /** doc `[source, flags, lastIndex]`: `RegExp` that Python does not have. */
  REGEXP: 24,
  /** UTF-8: `URL`. */
  URL: 25,
  /** float64 milliseconds, NaN when invalid: `Date` outside of Python's years. */
  DATE: 26,
  /** doc `[name, kwargs, fields]`: a LangChain message with own fields that its kwargs do not show. */
  MESSAGE: 27,
  /** doc `[name, fields]`: a `Send` or `Command` with fields that Python does not have. */
  CONTROL: 28,

  /** doc: a document with references; in it extensions stand open, as `[OPEN, doc]`. */
  GRAPH: 32,
  /** one byte, an extension code: marks the array in which it comes first as that extension. */
  OPEN: 33,
  /** unsigned big-endian, 1, 2 or 4 bytes: the n-th object of this GRAPH in document order, from 0. */
  REF: 34,

  /** Reserved: an encrypted document. */
  CIPHER: 40,
  /** Reserved: a compressed document. */
  CODEC: 41,
  /** raw digest: a part of the value that a saver stores on its own. */
  PART: 42,
  /** doc `[piece, …]`: one list, record or Map in pieces, each of them one; only in what a saver stores. */
  JOIN: 43,
  /**
   * doc `[source]`, or `[source, count, rest[]]` for the first elements of a list and what follows them; source is
   * `"untracked"`, `"channel"`, `"write"` or `"aside:…"`: stands in a `Send`'s args for a value kept elsewhere.
   */
  PLACE: 44,
} as const;

/** Extensions whose body is one MessagePack document; the others hold raw bytes. */
export function holdsDocument(code: number): boolean {
  return (
    (code >= Ext.SINGLE_ARG && code <= Ext.DELTA_SNAPSHOT) ||
    (code >= Ext.MAP && code <= Ext.REGEXP) ||
    code === Ext.MESSAGE ||
    code === Ext.CONTROL ||
    code === Ext.GRAPH ||
    code === Ext.JOIN ||
    code === Ext.PLACE
  );
}

/**
 * Containers that every message of LangChain has. In layout {@link Ext.PYDANTIC_V2} one that is
 * absent is empty, so empty ones are not written. In a document with references each takes the next
 * number after its message's, in this order, written or not.
 */
export function messageDefaults(name: string): readonly string[] {
  return name === "AIMessage" ? AI_MESSAGE_DEFAULTS : MESSAGE_DEFAULTS;
}

const MESSAGE_DEFAULTS = ["additional_kwargs", "response_metadata"] as const;
const AI_MESSAGE_DEFAULTS = ["tool_calls", "invalid_tool_calls", ...MESSAGE_DEFAULTS] as const;

/** Contents of {@link Ext.SPECIAL}. */
export const Special = { UNDEFINED: 0, HOLE: 1, UNTRACKED: 2 } as const;

/** Kinds of {@link Ext.BYTES}. */
export const ByteKind = { ARRAY_BUFFER: 0, DATA_VIEW: 1, BUFFER: 2, CLAMPED: 3 } as const;

/** The type tags that a saver stores beside a payload. */
export const Tag = { MSGPACK: "msgpack", MSGPACK_JS: "msgpack+js" } as const;

/** Module of classes that are registered by name only: they exist in JavaScript alone. */
export const JS_MODULE = "js";
