/**
 * How LangGraph tells a saver who writes: paths of tasks, names of nodes, namespaces of subgraphs.
 */
import { sendsIn } from "@threadkeep/serde/policy";

const PULL = "~__pregel_pull, ";
const PUSH = /^~__pregel_push, (\d+)/;
/** A call of a `task()`: the path of its caller, and which of its calls it is. */
const CALLED = /^~__pregel_push, (~__pregel_pu(?:ll|sh), .+), (\d{10}), \d{10}$/s;
const ERROR_HANDLER = ", node_error_handler, 0000000000";

/** The node whose task has this path; undefined for a task that a Send started, and for none. */
export function nodeOfPath(taskPath: string): string | undefined {
  if (!taskPath.startsWith(PULL)) return undefined;
  const node = taskPath.slice(PULL.length);
  return node.endsWith(ERROR_HANDLER) ? node.slice(0, -ERROR_HANDLER.length) : node;
}

/**
 * Who has a task of this path, in words: a node, or which call of a `task()` in the functional API.
 * LangGraph tells savers no name of such a task, only which call it was.
 */
export function ownerOfPath(taskPath: string): string | undefined {
  const node = nodeOfPath(taskPath);
  if (node !== undefined) return `node ${JSON.stringify(node)}`;
  const [, caller, index] = CALLED.exec(taskPath) ?? [];
  if (caller === undefined) return undefined;
  const by = ownerOfPath(caller)?.replace(/^node /, "entrypoint ");
  return by && `task() call ${Number(index) + 1} of ${by}`;
}

/** Which of the checkpoint's waiting Sends started the task; undefined when none did. */
export function sendOfPath(taskPath: string): number | undefined {
  const index = PUSH.exec(taskPath)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** Where a waiting Send goes. */
export interface SendTarget {
  readonly node: string | undefined;
  /** The tool that an agent's Send is to call. */
  readonly tool: string | undefined;
}

/** Where waiting Sends go, by their place. */
export function targetsOfSends(sends: unknown): SendTarget[] {
  return sendsIn(sends).map(({ node, args }) => ({
    node: textOf(node),
    tool: textOf((args as { lg_tool_call?: { name?: unknown } } | null)?.lg_tool_call?.name),
  }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The tool that a message is from; undefined for any other value. */
export function toolNameOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { type, name } = value as { readonly type?: unknown; readonly name?: unknown };
  return type === "tool" && "tool_call_id" in value && typeof name === "string" ? name : undefined;
}

/** The graphs inside of nodes through which a namespace leads, outermost first. */
export function subgraphNames(ns: string): string[] {
  return ns
    .split("|")
    .filter((segment) => segment !== "" && !/^\d+$/.test(segment))
    .map((segment) => segment.split(":")[0] as string);
}

/** The hook of a middleware that a node of an agent runs. */
export function hookOfNode(
  node: string,
): { readonly middleware: string; readonly hook: string } | undefined {
  const [, middleware, hook] = /^(.+)\.((?:before|after)_(?:agent|model))$/.exec(node) ?? [];
  return middleware === undefined || hook === undefined ? undefined : { middleware, hook };
}

/** Nodes of an agent that are not a middleware's. */
export const AGENT_NODES = { model: "model_request", tools: "tools" } as const;

/** What LangGraph writes of a task's own end, not of its results. */
export const ERROR_CHANNELS: ReadonlySet<string> = new Set(["__error__", "__error_source_node__"]);
