import { invalidOptions } from "../errors.ts";
import {
  type DefinedType,
  defineType,
  type TypeDefinition,
  type TypeDescription,
} from "./definition.ts";
import type { AnyClass } from "./any-class.ts";

/**
 * The static property under which a class describes how it is stored. It is the same symbol in every
 * copy of this package: `Symbol.for("threadkeep.type")`.
 *
 * @example
 * ```ts
 * class Money {
 *   static readonly [TYPE] = { module: "shop", name: "Money" };
 *   constructor(readonly cents: bigint) {}
 * }
 * new MsgpackSerializer({ types: [Money] });
 * ```
 */
export const TYPE: unique symbol = Symbol.for("threadkeep.type");

/** What classes of Vercel's Workflow say of themselves. */
const WORKFLOW_DUMP = Symbol.for("workflow-serialize");
const WORKFLOW_LOAD = Symbol.for("workflow-deserialize");

interface Described {
  readonly [TYPE]?: TypeDescription;
  readonly [WORKFLOW_DUMP]?: (value: object) => unknown;
  readonly [WORKFLOW_LOAD]?: (data: unknown) => object;
  /** Given by Workflow's compiler. */
  readonly classId?: unknown;
}

/**
 * The definition that a class gives of itself; undefined when it gives none, or only without a name
 * and none is given here.
 *
 * Only what the class says itself counts: what it inherits describes the class that it extends.
 *
 * @throws {@link SerdeError} `invalid_options`
 */
export function describedType(constructor: AnyClass, name?: string): DefinedType | undefined {
  const statics = constructor as unknown as Described;
  const own = <K extends keyof Described>(key: K): Described[K] | undefined =>
    Object.hasOwn(constructor, key) ? statics[key] : undefined;
  const description = own(TYPE);
  if (description !== undefined) {
    const type = defineType({ ...description, class: constructor } as TypeDefinition);
    if (name === undefined || name === type.key[1]) return type;
    throw invalidOptions(
      `Class ${type.key[1]} describes itself under that name and is listed as ${name}; list it in an array: types: [${type.key[1]}]`,
    );
  }
  const [dump, load, classId] = [own(WORKFLOW_DUMP), own(WORKFLOW_LOAD), own("classId")];
  const given = name ?? (typeof classId === "string" ? classId : undefined);
  if (dump === undefined || load === undefined || given === undefined) return undefined;
  return defineType({ name: given, class: constructor, dump, load });
}
