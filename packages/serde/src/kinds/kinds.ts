import type { SerdeErrorCode } from "../errors.ts";

/** What a problem of {@link scan} is about: the serializer's codes, and `not_json` for what only JSON lacks. */
export type ScanCode = SerdeErrorCode | "not_json";

/** That a profile does not keep a kind of value, and what to store instead. */
interface Verdict<C extends ScanCode = ScanCode> {
  readonly code: C;
  readonly conversion: string;
}

/** One kind of value. In the texts `{name}` stands for its class, `{id}` for a usable property name. */
export interface Kind {
  /** How it is named in a message. */
  readonly what: string;
  /** Undefined when the serializer keeps it. */
  readonly msgpack: Verdict<SerdeErrorCode> | undefined;
  /** Undefined when JSON keeps it. */
  readonly json: Verdict | undefined;
}

/** A kind that the serializer refuses too. */
interface RefusedKind extends Kind {
  readonly msgpack: Verdict<SerdeErrorCode>;
}

export type RefusedKindId =
  | "instance"
  | "function"
  | "symbol"
  | "symbolKey"
  | "extraKeys"
  | "proxy"
  | "promise"
  | "weak"
  | "shared"
  | "boxed"
  | "live"
  | "forged";

/** The serializer keeps these, JSON does not. */
type KeptKindId =
  | "nonFinite"
  | "negativeZero"
  | "undefined"
  | "hole"
  | "bigint"
  | "loneSurrogate"
  | "protoKey"
  | "nullPrototype"
  | "cycle"
  | "date"
  | "textMap"
  | "map"
  | "set"
  | "regexp"
  | "url"
  | "error"
  | "bytes"
  | "typedArray"
  | "message"
  | "document"
  | "control"
  | "inert";

export type KindId = RefusedKindId | KeptKindId;

const LIVE = "mark its field untracked(…), or keep it in a resource";
const BASE64 = 'store base64 text: Buffer.from(bytes).toString("base64")';

/**
 * Every kind of value that is not plain JSON, what each profile says of it, and what to convert it
 * to. Refusals of the serializer, both profiles of `scan`, their tests and the table in the
 * documentation come from here. What a profile does not mention it keeps.
 */
export const KINDS: Readonly<Record<KeptKindId, Kind> & Record<RefusedKindId, RefusedKind>> = {
  nonFinite: json("the number {name}", "use null, or its name as text"),
  negativeZero: json("negative zero", "use 0"),
  undefined: json("undefined", "leave the key out, or use null"),
  hole: json("an array with holes", "fill them: Array.from(list, (item) => item ?? null)"),
  bigint: json("a bigint", "store text: String(value)"),
  loneSurrogate: json("text with half a surrogate pair", "repair it: text.toWellFormed()"),
  protoKey: json(
    "a field of its own named __proto__",
    "name it otherwise: many readers of JSON drop it",
  ),
  nullPrototype: json("an object without prototype", "spread it: { ...value }"),
  cycle: json("an object that holds itself", "refer to it by an id"),
  date: json("a Date", "store text: value.toISOString()"),
  textMap: json("a Map", "use an object: Object.fromEntries(map)"),
  map: json("a Map whose keys are not all text", "use a list of pairs: [...map]"),
  set: json("a Set", "use a list: [...set]"),
  regexp: json("a RegExp", "store its source and flags"),
  url: json("a URL", "store text: url.href"),
  error: json("an error ({name})", "store its name and message"),
  bytes: json("bytes ({name})", BASE64),
  typedArray: json("a {name}", "use a list: Array.from(value)"),
  message: json(
    "a LangChain message ({name})",
    "store its record: mapChatMessagesToStoredMessages([message])",
  ),
  document: json("a LangChain Document", "store its fields: { ...document }"),
  control: json("LangGraph's {name}", "keep it out of state: it is for LangGraph to act on"),
  inert: json("a value that was loaded inert", "store its contents"),

  instance: both(
    "an instance of class {name}",
    { code: "unregistered_class", conversion: "add it: types: { {id} }" },
    { code: "not_json", conversion: "store a plain object of its fields" },
  ),
  function: refused("a function", LIVE),
  symbol: refused("a symbol", "use a string"),
  symbolKey: refused("an object with symbol keys", "use string keys or a Map"),
  extraKeys: refused("an array with extra keys", "move them into an object beside it"),
  proxy: refused("a Proxy", "store the object behind it"),
  promise: refused("a promise", "await it first"),
  weak: refused("a weak collection ({name})", LIVE),
  shared: refused("memory that is shared between threads", "store a copy"),
  boxed: refused("a boxed {name}", "use the primitive"),
  live: refused("a live {name}", LIVE),
  forged: refused("an object that has only the prototype of {name}", "store a real one"),
};

/** Put the class's name into one of a kind's texts. */
export function fill(text: string, name: string): string {
  const id = /^[A-Za-z_$][\w$]*$/.test(name) ? name : "MyClass";
  return text.replace("{name}", () => name).replace("{id}", id);
}

function json(what: string, conversion: string): Kind {
  return { what, msgpack: undefined, json: { code: "not_json", conversion } };
}

function refused(what: string, conversion: string): RefusedKind {
  const verdict: Verdict<SerdeErrorCode> = { code: "unsupported_type", conversion };
  return { what, msgpack: verdict, json: verdict };
}

function both(what: string, msgpack: Verdict<SerdeErrorCode>, inJson: Verdict): RefusedKind {
  return { what, msgpack, json: inJson };
}
