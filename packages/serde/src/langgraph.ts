/**
 * Everything in this package that leans on how LangGraph and LangChain build their objects.
 *
 * Instances are made without running constructors that would rewrite their content (`new Send()`
 * rebuilds nested `{node, args}` objects, `new AIMessage()` parses tool calls), so the own fields
 * of each class are read off a template made once.
 */
import * as messages from "@langchain/core/messages";
import { Document } from "@langchain/core/documents";
import * as checkpoint from "@langchain/langgraph-checkpoint";
import { Command, Overwrite, Send, START } from "@langchain/langgraph/web";
import { type MessageMaker, messageMaker } from "./message-maker.ts";

/** LangGraph's channel for Sends, and the one for a run's whole input. */
export const TASKS: typeof checkpoint.TASKS = checkpoint.TASKS;
export { START };

/** A class of LangChain messages as it is stored, and how its instances look. */
export interface MessageKind {
  readonly name: string;
  /** LangChain for Python's module of the class of that name. */
  readonly module: string;
  readonly prototype: object;
  /** Own fields of a fresh instance, in order, `lc_kwargs` and the symbol brand included. */
  readonly template: ReadonlyMap<PropertyKey, unknown>;
  /** The same as two lists: walking a Map for each message takes its time. */
  readonly keys: readonly PropertyKey[];
  readonly fresh: readonly unknown[];
  /** Which of the fields the class takes from its arguments. */
  readonly fields: ReadonlySet<string>;
  /** A faster way to an instance from its arguments; undefined for a class that has none. */
  readonly maker: MessageMaker | undefined;
}

/** Fields that are the class's own business: the same in every instance. */
const CONSTANTS = new Set<PropertyKey>([
  "lc_serializable",
  "lc_namespace",
  "lc_direct_tool_output",
  "type",
  "lc_kwargs",
]);

export function isConstant(key: PropertyKey): boolean {
  return CONSTANTS.has(key);
}

const FAMILIES = {
  human: "Human",
  ai: "AI",
  system: "System",
  tool: "Tool",
  function: "Function",
  chat: "Chat",
} as const;

/** Every message class of the installed LangChain, by stored name. */
export const MESSAGE_KINDS: ReadonlyMap<string, MessageKind> = new Map(
  [
    ...Object.entries(FAMILIES).flatMap(([module, family]) => [
      { name: `${family}Message`, module },
      { name: `${family}MessageChunk`, module },
    ]),
    { name: "RemoveMessage", module: "modifier" },
  ].flatMap(({ name, module }) => {
    const found = (messages as unknown as Record<string, MessageClass | undefined>)[name];
    return found === undefined ? [] : [[name, messageKind(name, module, found)] as const];
  }),
);

type MessageClass = new (fields: Record<string, unknown>) => object;

function messageKind(name: string, module: string, constructor: MessageClass): MessageKind {
  const sample = new constructor({ content: "", role: "", tool_call_id: "", id: "" }) as Record<
    PropertyKey,
    unknown
  >;
  const template = new Map(
    Reflect.ownKeys(sample).map((key) => [key, isData(key, sample[key]) ? undefined : sample[key]]),
  );
  const kind = {
    name,
    module: `langchain_core.messages.${module}`,
    prototype: constructor.prototype as object,
    template,
    keys: [...template.keys()],
    fresh: [...template.values()],
    fields: new Set(
      [...template.keys()].filter((key) => typeof key === "string" && !isConstant(key)),
    ) as ReadonlySet<string>,
    maker: undefined,
  };
  const maker = messageMaker(kind.prototype, template.get("type"), kind.fields, (kwargs) => {
    const message = blankMessage(kind);
    fillMessage(kind, message, kwargs);
    return message;
  });
  return { ...kind, maker };
}

/** Fields whose value in the sample says nothing about other instances. */
function isData(key: PropertyKey, value: unknown): boolean {
  if (isConstant(key)) return key === "lc_kwargs";
  return typeof key === "string" && (typeof value === "object" || value === "");
}

/**
 * A message from the keyword arguments in LangChain's own JSON, built as LangChain itself builds it
 * from there; undefined for a name that is no message class, or when the class refuses them.
 */
export function buildStoredMessage(
  name: string,
  kwargs: Readonly<Record<string, unknown>>,
): object | undefined {
  const kind = MESSAGE_KINDS.get(name);
  if (kind === undefined) return undefined;
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(kwargs)) {
    if (key !== "__proto__") fields[isInstanceField(kind, key) ? key : camelCase(key)] = value;
  }
  try {
    return new (kind.prototype.constructor as MessageClass)(fields);
  } catch {
    return undefined;
  }
}

/** LangChain's JSON has keys in snake case, but for those that its messages name like that. */
function camelCase(key: string): string {
  if (!/[-_\s]/.test(key)) return key;
  return key
    .replace(/[-_\s]+/g, "_")
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * An instance as its constructor begins one, without its data; of a class that extends the kind's
 * when its prototype is given.
 */
export function blankMessage(
  kind: MessageKind,
  prototype: object = kind.prototype,
): Record<string, unknown> {
  const message = Object.create(prototype) as Record<PropertyKey, unknown>;
  const { keys, fresh } = kind;
  for (let i = 0; i < keys.length; i++) {
    const value = fresh[i];
    message[keys[i] as PropertyKey] = Array.isArray(value) ? value.slice() : value;
  }
  return message;
}

/** Set what the class takes from its arguments. */
export function fillMessage(
  kind: MessageKind,
  message: Record<string, unknown>,
  kwargs: Record<string, unknown>,
): void {
  message.lc_kwargs = kwargs;
  for (const key of Object.keys(kwargs)) {
    if (isInstanceField(kind, key)) message[key] = kwargs[key];
  }
}

/** Whether the class copies this kwarg to the instance. */
export function isInstanceField(kind: MessageKind, key: string): boolean {
  return kind.fields.has(key);
}

/** The kind of messages that a class extends, or is. */
export function messageKindOf(prototype: object): MessageKind | undefined {
  for (
    let at: object | null = prototype;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const kind of MESSAGE_KINDS.values()) if (kind.prototype === at) return kind;
  }
  return undefined;
}

/** Own symbols of a message: LangChain's brand. */
export const SYMBOLS_OF_MESSAGE = 1;

const MESSAGE_BRAND = Symbol.for("langchain.message");

/**
 * The kind of a message from another copy of LangChain (its CommonJS build, say), or undefined when
 * it is a subclass: a stock class stands as deep and has the same members as the one here.
 */
export function foreignMessageKind(value: object, prototype: object): MessageKind | undefined {
  if (!(MESSAGE_BRAND in value)) return undefined;
  const type = (value as { type?: unknown }).type;
  for (const kind of MESSAGE_KINDS.values()) {
    if (kind.template.get("type") === type && chainShape(prototype) === chainShape(kind.prototype))
      return kind;
  }
  return undefined;
}

function chainShape(prototype: object): string {
  const shape: string[] = [];
  for (
    let at: object | null = prototype;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    shape.push(Object.getOwnPropertyNames(at).sort().join());
  }
  return shape.join(";");
}

export const sendPrototype: object = Send.prototype;
export const commandPrototype: object = Command.prototype;
export const overwritePrototype: object = Overwrite.prototype;
export const documentPrototype: object = Document.prototype;
export const deltaSnapshotPrototype: object | undefined = checkpoint.DeltaSnapshot?.prototype;

const OVERWRITTEN = "__overwrite__";

/** A Send with exactly these args; its constructor would rewrite them. */
export function buildSend(node: string): Send {
  return new Send(node, {});
}

/** A Command and the record of its arguments that its brand holds; both are to be filled. */
export function buildCommand(): {
  readonly command: Record<string, unknown>;
  readonly args: Record<string, unknown>;
} {
  const args: Record<string, unknown> = {};
  return { command: new Command(args) as unknown as Record<string, unknown>, args };
}

export function buildOverwrite(): { set(value: unknown): void; readonly overwrite: Overwrite } {
  const overwrite = new Overwrite<unknown>(undefined);
  return { overwrite, set: (value) => void Object.assign(overwrite, { [OVERWRITTEN]: value }) };
}

export function overwriteValue(value: object): unknown {
  return (value as Record<string, unknown>)[OVERWRITTEN];
}

export function buildDocument(): Document {
  return new Document({ pageContent: "" });
}

export function buildDeltaSnapshot(): { value: unknown } {
  return new checkpoint.DeltaSnapshot(undefined) as { value: unknown };
}

/** The prototype here of LangGraph's or LangChain's own object from another copy of the package. */
export function ownPrototypeOf(value: object, prototype: object): object | undefined {
  const name = Object.getOwnPropertyDescriptor(value, "lg_name")?.value as unknown;
  for (const [ownName, own] of CONTROLS) {
    if (name === ownName) return chainShape(prototype) === chainShape(own) ? own : undefined;
  }
  return isForeignDocument(prototype) ? documentPrototype : undefined;
}

const CONTROLS: readonly (readonly [name: string, prototype: object])[] = [
  ["Send", sendPrototype],
  ["Command", commandPrototype],
  ["Overwrite", overwritePrototype],
  ...(deltaSnapshotPrototype === undefined
    ? []
    : [["DeltaSnapshot", deltaSnapshotPrototype] as const]),
];

/** A Document has no mark; the same class is told by the same source. */
function isForeignDocument(prototype: object): boolean {
  const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  return (
    typeof constructor === "function" &&
    constructor.name === Document.name &&
    Function.prototype.toString.call(constructor) === Function.prototype.toString.call(Document)
  );
}

/** Whether this is one of LangGraph's own objects, of this copy of the package or another. */
export function isControl(value: unknown, name: "Send" | "Command"): value is object {
  if (typeof value !== "object" || value === null) return false;
  return (
    Object.getOwnPropertyDescriptor(value, "lg_name")?.value === name &&
    Object.getPrototypeOf(value) !== Object.prototype
  );
}
