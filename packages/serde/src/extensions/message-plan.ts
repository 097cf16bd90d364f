import { isConstant, type MessageKind } from "../langgraph.ts";
import { messageDefaults } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import type { KeyList } from "./key-list.ts";

type Message = Readonly<Record<string, unknown>>;

const KEPT = 8;

/**
 * How messages with the same fields are written, so that this is worked out once for all of them.
 *
 * The arguments are the keys of `lc_kwargs`. For one that is a field of the instance too, the
 * instance has the present value.
 */
export class MessagePlan {
  readonly keys: readonly string[];
  /** The keys as bytes; undefined when no map can hold one of them. */
  readonly list: KeyList | undefined;
  /** Where the containers that every message has stand among the keys; -1 for one that is missing. */
  readonly defaultPlaces: readonly number[];
  readonly #fields: readonly string[];
  /** Where each argument stands among the instance's fields; -1 for one that is in `lc_kwargs` alone. */
  readonly #places: readonly number[];
  /** Fields of the instance beside the arguments, and what the class makes each in a new one. */
  readonly #beside: readonly number[];
  readonly #fresh: readonly unknown[];
  readonly #arguments: readonly string[];
  readonly #fromBlocks: boolean;
  readonly #content: number;
  readonly #contentBlocks: number;

  constructor(
    kind: MessageKind,
    fields: readonly string[],
    keys: readonly string[],
    fromBlocks: boolean,
    writer: ValueWriter,
  ) {
    this.#fields = fields;
    this.#arguments = keys;
    this.#fromBlocks = fromBlocks;
    this.keys = fromBlocks ? [...keys, "content"] : keys;
    this.list = writer.keyList(this.keys);
    const own = new Set(fields);
    this.#places = this.keys.map((key) => (isConstant(key) ? -1 : fields.indexOf(key)));
    this.defaultPlaces = messageDefaults(kind.name).map((key) => keys.indexOf(key));
    this.#content = this.keys.indexOf("content");
    this.#contentBlocks = own.has("contentBlocks") ? -1 : keys.indexOf("contentBlocks");
    this.#beside = [...fields.keys()].filter((i) => {
      const key = fields[i] as string;
      return key !== "lc_kwargs" && !this.keys.includes(key);
    });
    this.#fresh = this.#beside.map((i) => {
      const key = fields[i] as string;
      return kind.template.has(key) ? kind.template.get(key) : UNKNOWN;
    });
  }

  fits(fields: readonly string[], keys: readonly string[], fromBlocks: boolean): boolean {
    return (
      fromBlocks === this.#fromBlocks &&
      isSame(fields, this.#fields) &&
      isSame(keys, this.#arguments)
    );
  }

  /** The present value of each argument, from the values of the instance's fields. */
  values(present: readonly unknown[], kwargs: Message): unknown[] {
    const places = this.#places;
    const values: unknown[] = [];
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      values.push(place >= 0 ? present[place] : kwargs[this.keys[i] as string]);
    }
    // Where a message was built from content blocks, they are its content and are written as that.
    const blocks = this.#contentBlocks;
    if (blocks >= 0 && this.#content >= 0 && values[blocks] === values[this.#content])
      values[blocks] = undefined;
    return values;
  }

  /** Fields of the instance that are no arguments and not as its class makes them. */
  loose(present: readonly unknown[]): readonly (readonly [key: string, value: unknown])[] {
    let found: [string, unknown][] | undefined;
    for (let i = 0; i < this.#beside.length; i++) {
      const place = this.#beside[i] as number;
      const value = present[place];
      const fresh = this.#fresh[i];
      if (value === fresh) continue;
      // Each instance has a list of its own for its constants.
      if (Array.isArray(fresh) && Array.isArray(value) && isSameList(value, fresh)) continue;
      (found ??= []).push([this.#fields[place] as string, value]);
    }
    return found ?? NONE;
  }
}

const NONE: readonly (readonly [string, unknown])[] = [];
/** A field that the class does not have. */
const UNKNOWN = Symbol("unknown");

/** The plans for messages of one kind. */
export class MessagePlans {
  readonly #kind: MessageKind;
  readonly #plans: MessagePlan[] = [];

  constructor(kind: MessageKind) {
    this.#kind = kind;
  }

  find(message: Message, kwargs: Message, writer: ValueWriter): MessagePlan {
    const fields = Object.keys(message);
    const keys = Object.keys(kwargs);
    // Built from content blocks alone, which are its content: that is written, last.
    const fromBlocks =
      !Object.hasOwn(kwargs, "content") &&
      kwargs.contentBlocks !== undefined &&
      kwargs.contentBlocks === message.content;
    for (const plan of this.#plans) if (plan.fits(fields, keys, fromBlocks)) return plan;
    const plan = new MessagePlan(this.#kind, fields, keys, fromBlocks, writer);
    if (this.#plans.length >= KEPT) this.#plans.shift();
    this.#plans.push(plan);
    return plan;
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, i) => value === right[i]);
}
