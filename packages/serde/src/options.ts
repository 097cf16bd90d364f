import { invalidOptions } from "./errors.ts";
import { type Limits, resolveLimits } from "./limits.ts";
import { optionsProblem } from "./options-problem.ts";
import type { OnBlocked } from "./extensions/value-reader.ts";
import type { Types } from "./types/normalize.ts";
import { TypeTable } from "./types/type-table.ts";
import type { SerdeEvent } from "./events.ts";

/**
 * `strict` refuses what it can't keep. `lenient` keeps going: it stores objects of unknown classes as
 * what is plain in them and leaves out what can't be stored, with an event for each and a warning
 * for each kind. `LANGGRAPH_STRICT_MSGPACK=true` in the environment makes every serializer strict.
 */
export type Mode = "strict" | "lenient";

/** Options of a `MsgpackSerializer`. */
export interface SerializerOptions {
  /** Classes that may be stored and revived. @defaultValue none */
  readonly types?: Types | TypeTable;
  /** @defaultValue `"strict"` */
  readonly mode?: Mode;
  /** What a stored type that is not in `types` becomes. @defaultValue `"throw"` */
  readonly onBlocked?: OnBlocked;
  /** Bounds on size, depth and number of items. @defaultValue see {@link Limits} */
  readonly limits?: Partial<Limits>;
  /** Told of what a caller may want to count or log; an exception in it changes nothing. */
  readonly onEvent?: ((event: SerdeEvent) => void) | undefined;
  /** Store the stack of errors too. @defaultValue false: stacks show paths of the machine */
  readonly errorStacks?: boolean;
  /**
   * Before a payload is given out, read it back and write that again: the bytes have to be the same.
   * Finds a class whose `load` does not undo its `dump`. @defaultValue false
   */
  readonly verifyOnWrite?: boolean;
}

/** Options with every default in place. */
export interface ResolvedOptions {
  readonly types: TypeTable;
  readonly mode: Mode;
  readonly onBlocked: OnBlocked;
  readonly limits: Limits;
  readonly onEvent: ((event: SerdeEvent) => void) | undefined;
  readonly errorStacks: boolean;
  readonly verifyOnWrite: boolean;
}

const NAMES = ["types", "mode", "onBlocked", "limits", "onEvent", "errorStacks", "verifyOnWrite"];

/** Check and complete the options once. A misspelt name is an error: it could leave a bound out. */
export function resolveOptions(options: SerializerOptions): ResolvedOptions {
  const problem = optionsProblem(options, NAMES);
  if (problem !== undefined) throw invalidOptions(`MsgpackSerializer ${problem}`);
  const { mode = "strict", onBlocked = "throw", onEvent } = options;
  const { errorStacks = false, verifyOnWrite = false } = options;
  if (onEvent !== undefined && typeof onEvent !== "function")
    throw invalidOptions("onEvent must be a function");
  if (typeof errorStacks !== "boolean" || typeof verifyOnWrite !== "boolean")
    throw invalidOptions("errorStacks and verifyOnWrite must be true or false");
  if (mode !== "strict" && mode !== "lenient")
    throw invalidOptions('mode must be "strict" or "lenient"');
  if (onBlocked !== "throw" && onBlocked !== "inert")
    throw invalidOptions('onBlocked must be "throw" or "inert"');
  return Object.freeze({
    types: toTable(options.types),
    mode: isStrictForced() ? "strict" : mode,
    onBlocked,
    limits: resolveLimits(options.limits),
    onEvent,
    errorStacks,
    verifyOnWrite,
  });
}

function toTable(types: Types | TypeTable | undefined): TypeTable {
  if (types === undefined) return TypeTable.EMPTY;
  return types instanceof TypeTable ? types : TypeTable.EMPTY.with(types);
}

/** LangGraph for Python's switch, with Python's words for yes. */
function isStrictForced(): boolean {
  return ["1", "true", "yes"].includes((process.env.LANGGRAPH_STRICT_MSGPACK ?? "").toLowerCase());
}
