import { types } from "node:util";
import { hasExtraKeys } from "../extensions/extra-keys.ts";
import type { Limits } from "../limits.ts";
import { formatPath, mapStep, type PathStep } from "../path.ts";
import { isWellFormed } from "../text.ts";
import { refusedKindOf } from "../kinds/refusal.ts";
import { jsonKindOf } from "../kinds/json-kind.ts";
import { fill, type Kind, type KindId, KINDS } from "../kinds/kinds.ts";
import type { ScanProblem } from "./scan-problem.ts";

/**
 * Collects what the strict JSON contract does not keep: what `JSON.parse(JSON.stringify(value))`
 * would not give back exactly.
 *
 * Maps and Sets are problems, and what they hold is looked at too, because it has to be converted
 * as well. What is reached twice is reported where it is met first.
 */
export class JsonScan {
  readonly problems: ScanProblem[] = [];
  readonly #limits: Limits;
  readonly #steps: PathStep[];
  readonly #base: number;
  readonly #open = new Set<object>();
  readonly #done = new Set<object>();

  constructor(limits: Limits, at: readonly PathStep[]) {
    this.#limits = limits;
    this.#steps = [...at];
    this.#base = at.length;
  }

  value(value: unknown): void {
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "number":
        if (!Number.isFinite(value)) return this.#add("nonFinite", String(value));
        return Object.is(value, -0) ? this.#add("negativeZero", "-0") : undefined;
      case "boolean":
        return;
      case "undefined":
        return this.#add("undefined", "undefined");
      case "bigint":
        return this.#add("bigint", "bigint");
      case "object":
        return value === null ? undefined : this.#object(value);
      default: {
        const { kind, className } = refusedKindOf(value);
        return this.#add(kind, className);
      }
    }
  }

  #object(value: object): void {
    if (this.#open.has(value)) return this.#add("cycle", "Object");
    if (this.#done.has(value)) return;
    if (this.#steps.length - this.#base >= this.#limits.maxDepth) return this.#tooDeep();
    this.#open.add(value);
    this.#content(value);
    this.#open.delete(value);
    this.#done.add(value);
  }

  #content(value: object): void {
    const { kind, className } = jsonKindOf(value);
    switch (kind) {
      case "list":
        return this.#list(value as readonly unknown[]);
      case "record":
        return this.#record(value as Record<string, unknown>);
      case "nullPrototype":
        this.#add(kind, className);
        return this.#record(value as Record<string, unknown>);
      case "textMap":
      case "map":
        this.#add(kind, className);
        return this.#map(value as ReadonlyMap<unknown, unknown>);
      case "set":
        this.#add(kind, className);
        [...(Set.prototype.values.call(value) as Iterable<unknown>)].forEach((item, i) =>
          this.#child({ text: `.values()[${i}]` }, item),
        );
        return;
      default:
        return this.#add(kind, className);
    }
  }

  #record(value: Record<string, unknown>): void {
    if (Object.getOwnPropertySymbols(value).length > 0) this.#add("symbolKey", "Object");
    for (const key of Object.keys(value)) {
      if (key === "__proto__") this.#under(key, () => this.#add("protoKey", "Object"));
      if (!isWellFormed(key)) this.#under(key, () => this.#add("loneSurrogate", "string"));
      this.#property(key, value);
    }
  }

  #list(value: readonly unknown[]): void {
    let holes = 0;
    for (let i = 0; i < value.length; i++) {
      if (Object.hasOwn(value, i)) this.#property(i, value as unknown as Record<number, unknown>);
      else holes++;
    }
    if (holes > 0) this.#add("hole", "Array");
    if (hasExtraKeys(value, holes)) this.#add("extraKeys", "Array");
  }

  #map(value: ReadonlyMap<unknown, unknown>): void {
    for (const [key, item] of Map.prototype.entries.call(value) as Iterable<[unknown, unknown]>)
      this.#child(mapStep(key), item);
  }

  /** Where a getter throws, the field is the problem. */
  #property(key: string | number, owner: Record<string | number, unknown>): void {
    let item: unknown;
    try {
      item = owner[key];
    } catch (error) {
      const what = types.isNativeError(error) ? error.name : "something that is no Error";
      return this.#under(key, () =>
        this.#push("dump_failed", "Object", `reading the value threw ${what}`, "let it not throw"),
      );
    }
    // Most values are these; they cost no step.
    if (typeof item === "boolean" || item === null) return;
    this.#child(key, item);
  }

  #child(step: PathStep, value: unknown): void {
    this.#steps.push(step);
    this.value(value);
    this.#steps.pop();
  }

  #under(step: PathStep, work: () => void): void {
    this.#steps.push(step);
    work();
    this.#steps.pop();
  }

  #text(value: string): void {
    if (!isWellFormed(value)) this.#add("loneSurrogate", "string");
  }

  #add(id: KindId, name: string): void {
    const { what, json }: Kind = KINDS[id];
    if (json === undefined) return;
    const message = `${fill(what, name)} is not JSON`;
    this.#push(json.code, name, message, fill(json.conversion, name));
  }

  #tooDeep(): void {
    const { maxDepth } = this.#limits;
    const message = `The value is nested deeper than ${maxDepth} levels`;
    this.#push("limit_exceeded", "Object", message, "store it flat, parts by id");
  }

  #push(code: ScanProblem["code"], type: string, message: string, conversion: string): void {
    this.problems.push({ path: formatPath(this.#steps), type, code, message, conversion });
  }
}
