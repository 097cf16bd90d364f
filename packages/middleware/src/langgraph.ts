/**
 * Everything in this package that leans on how LangGraph and LangChain are built inside.
 */
/** The part of LangChain's `Runtime`, `ToolRuntime` or a `RunnableConfig` that names the thread. */
export interface RuntimeLike {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

/** Under this key a running task finds the saver of its graph. */
const SAVER = "__pregel_checkpointer";
/** Under this key it finds its own input, which is what tools are shown as state. */
const SCRATCHPAD = "__pregel_scratchpad";

/** State fields that an agent has by itself. */
export const AGENT_FIELDS: readonly string[] = ["messages", "structuredResponse", "jumpTo"];

/** The saver that stores the run, or undefined. */
export function saverOf(runtime: RuntimeLike | undefined): unknown {
  return runtime?.configurable?.[SAVER];
}

/** The state that the running task was given, or undefined. Tools see this very object. */
export function taskInputOf(runtime: RuntimeLike | undefined): Record<string, unknown> | undefined {
  const scratchpad = runtime?.configurable?.[SCRATCHPAD];
  const input = isObject(scratchpad) ? scratchpad.currentTaskInput : undefined;
  return isObject(input) ? input : undefined;
}

/**
 * Keep a live object one object: a `Send` copies the plain objects in its args, unless they say that
 * they are LangChain's own.
 */
export function keepWhole<T extends object>(object: T): T {
  if (Object.getPrototypeOf(object) === Object.prototype)
    defineHidden(object, "lc_serializable", true);
  return object;
}

/** Let an object turn into nothing where a serializer asks it for its JSON. */
export function hideFromJson(object: object): void {
  defineHidden(object, "toJSON", () => undefined);
}

function defineHidden(object: object, name: string, value: unknown): void {
  if (!Object.isExtensible(object)) return;
  Object.defineProperty(object, name, {
    value,
    enumerable: false,
    configurable: true,
    writable: true,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
