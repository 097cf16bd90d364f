import { types } from "node:util";
import { isControl } from "../langgraph.ts";
import type { Omit } from "../omit.ts";
import { RecentObjects } from "./recent-objects.ts";
import { isRecord } from "./record.ts";
import { isCopyOf, isTelling } from "./same-content.ts";

/** What may be stored of one graph's state. */
export interface StatePolicy {
  /** Channels whose values are never stored. */
  readonly untracked: ReadonlySet<string>;
  /** Channels whose values are stored in their own place only, never in what a `Send` carries. */
  readonly private: ReadonlySet<string>;
  /** Untracked channels whose values are data, known by name only: they may stand elsewhere too. */
  readonly data: ReadonlySet<string>;
  /** Live objects: values seen under an untracked name, to be left out wherever else they appear. */
  readonly live: LiveObjects;
}

/** How many lists and records are remembered of which a Send may hold copies. */
const REMEMBERED = 64;

/**
 * The objects seen under untracked names, held weakly: the same object reached another way is left
 * out too.
 *
 * A LangChain message is no live object: it is data, and a field that shows the last one of the
 * history must not take it out of the history.
 */
export class LiveObjects {
  readonly #seen = new WeakSet<object>();
  /** Those among them that LangGraph copies on their way into a Send. */
  readonly #copied = new Set<WeakRef<object>>();
  /** Those of graphs around this one, which get to see this graph's objects in what it returns. */
  readonly #outer = new Set<WeakRef<LiveObjects>>();
  readonly #recent = new RecentObjects();
  #isEmpty = true;

  /** Leaves these objects out of what is written. */
  readonly omit: Omit = Object.assign((value: object) => this.has(value), {
    clears: (objects: readonly object[], mark: object | undefined) => this.#clears(objects, mark),
  });

  /** Learn an untracked value. Primitives have no identity and are not learnt. */
  add(value: unknown): void {
    if (!isIdentifiable(value) || this.#seen.has(value)) return;
    this.#seen.add(value);
    this.#recent.add(value);
    this.#isEmpty = false;
    if (isCopiedBySends(value) && isTelling(value)) this.#rememberCopied(value);
    for (const outer of reached(this.#outer)) outer.add(value);
  }

  has(value: object): boolean {
    if (!this.#isEmpty && this.#seen.has(value)) return true;
    // It is asked for every object that is stored.
    if (this.#outer.size === 0) return false;
    for (const outer of reached(this.#outer)) if (outer.has(value)) return true;
    return false;
  }

  #clears(objects: readonly object[], mark: object | undefined): object | undefined {
    const { now } = this.#recent;
    // What graphs around this one learn is not told here.
    const isComplete = this.#outer.size === 0;
    if (isComplete && mark === now) return now;
    const recent = isComplete ? this.#recent.since(mark) : undefined;
    const isLive =
      recent === undefined
        ? objects.some((object) => this.has(object))
        : recent.some((object) => objects.includes(object));
    return isLive ? undefined : now;
  }

  /** Whether nothing was ever learnt, so that nothing needs to be looked for. */
  get isEmpty(): boolean {
    if (this.#outer.size === 0) return this.#isEmpty;
    return this.#isEmpty && [...reached(this.#outer)].every((outer) => outer.isEmpty);
  }

  /**
   * Learn the copies that `new Send()` made of live lists and records. They are told by their
   * content, which has to be telling.
   */
  addCopiesIn(value: unknown): void {
    const originals = this.#originals();
    if (originals.length === 0) return;
    const seen = new Set<object>();
    const open = [value];
    while (open.length > 0) {
      const at = open.pop();
      if (typeof at !== "object" || at === null || seen.has(at)) continue;
      seen.add(at);
      if (isMadeBySends(at) && originals.some((original) => isCopyOf(at, original))) this.add(at);
      else for (const item of itemsOf(at)) open.push(item);
    }
  }

  /** Learn a value if it is itself such a copy. */
  addIfCopy(value: object): void {
    if (this.#originals().some((original) => isCopyOf(value, original))) this.add(value);
  }

  /** Share what is learnt from now on with the objects of a graph around this one, and know theirs. */
  joinInto(outer: LiveObjects): void {
    if (outer === this || outer.#reaches(this)) return;
    for (const known of reached(this.#outer)) if (known === outer) return;
    this.#outer.add(new WeakRef(outer));
  }

  #rememberCopied(value: object): void {
    this.#copied.add(new WeakRef(value));
    if (this.#copied.size <= REMEMBERED) return;
    for (const reference of this.#copied) {
      this.#copied.delete(reference);
      if (this.#copied.size <= REMEMBERED) return;
    }
  }

  #originals(): object[] {
    return [
      ...reached(this.#copied),
      ...[...reached(this.#outer)].flatMap((outer) => outer.#originals()),
    ];
  }

  #reaches(other: LiveObjects): boolean {
    for (const outer of reached(this.#outer))
      if (outer === other || outer.#reaches(other)) return true;
    return false;
  }
}

/** What is still there: graphs that were compiled for one call come and go, and so do values. */
function* reached<T extends object>(references: Set<WeakRef<T>>): Generator<T> {
  for (const reference of references) {
    const value = reference.deref();
    if (value === undefined) references.delete(reference);
    else yield value;
  }
}

const MESSAGE = Symbol.for("langchain.message");

function isIdentifiable(value: unknown): value is object {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && !(MESSAGE in value);
}

function isCopiedBySends(value: object): boolean {
  return Array.isArray(value) || isRecord(value);
}

function isMadeBySends(value: object): boolean {
  return isCopiedBySends(value) || isControl(value, "Send");
}

/** What a Send copies, and what it may carry originals in. */
function itemsOf(value: object): Iterable<unknown> {
  if (types.isMap(value)) return [...value.keys(), ...value.values()];
  if (types.isSet(value)) return value;
  return isMadeBySends(value) ? Object.values(value) : [];
}
