import {
  MsgpackSerializer,
  NonSerializableStateError,
  type ScanProblem,
  type WriteHooks,
} from "@threadkeep/serde";
import { describeProblem, findProblems } from "@threadkeep/serde/policy";
import type { ConfigLike } from "../config.ts";
import {
  AGENT_NODES,
  ERROR_CHANNELS,
  hookOfNode,
  nodeOfPath,
  ownerOfPath,
  sendOfPath,
  type SendTarget,
  subgraphNames,
  targetsOfSends,
  toolNameOf,
} from "../langgraph-tasks.ts";

/** What to do about state that can't be stored, after every node: nothing, a warning, or an error. */
export type ScanMode = "off" | "warn" | "throw";

/**
 * The property under which a middleware asks for a scan of the state that its agent makes:
 * `"warn"` or `"throw"`.
 */
export const SCAN: unique symbol = Symbol.for("threadkeep.scan");

/** Warnings are given once for each place; this many places are remembered. */
const MAX_WARNED = 1000;

/** Checkpoints whose tasks may still be running. */
const MAX_CHECKPOINTS = 64;

/** One call of `putWrites`. */
export interface TaskWrites {
  readonly config: ConfigLike;
  readonly taskPath: string;
  readonly writes: readonly (readonly [channel: string, value: unknown])[];
}

/** The stricter of two modes. */
export function stricter(a: ScanMode, b: ScanMode): ScanMode {
  const order: readonly ScanMode[] = ["off", "warn", "throw"];
  return order[Math.max(order.indexOf(a), order.indexOf(b))] as ScanMode;
}

export function isScanMode(value: unknown): value is ScanMode {
  return value === "off" || value === "warn" || value === "throw";
}

/** Looks at what each node writes, and tells who made a value that can't be stored. */
export class StateScan {
  readonly mode: "warn" | "throw";
  readonly #isAgent: boolean;
  readonly #warned = new Set<string>();
  /** Where a checkpoint's Sends go: the path of their tasks has a number alone. */
  readonly #sends = new Map<unknown, readonly SendTarget[]>();

  constructor(mode: "warn" | "throw", isAgent: boolean) {
    this.mode = mode;
    this.#isAgent = isAgent;
  }

  /** Learn of a checkpoint's waiting Sends. */
  noteSends(checkpointId: unknown, sends: unknown): void {
    const targets = targetsOfSends(sends);
    if (targets.length === 0) return;
    this.#sends.delete(checkpointId);
    this.#sends.set(checkpointId, targets);
    if (this.#sends.size > MAX_CHECKPOINTS) this.#sends.delete(this.#sends.keys().next().value);
  }

  /**
   * Synchronous: LangGraph calls a saver while it commits a task, so that an error here fails the
   * very step that made the value.
   *
   * @throws {@link NonSerializableStateError}
   */
  check(task: TaskWrites, serde: unknown, hooks: WriteHooks): void {
    if (!MsgpackSerializer.is(serde)) return;
    const found = new Map<string, ScanProblem[]>();
    for (const { value, at, tool } of partsOf(task.writes)) {
      const problems = findProblems(serde, value, { ...hooks, at });
      if (problems.length === 0) continue;
      const source = this.#describe(task, tool);
      found.set(source, [...(found.get(source) ?? []), ...problems]);
    }
    if (found.size === 0) return;
    if (this.mode === "warn") return this.#warn(found);
    const [first, ...others] = [...found.values()].flat() as [ScanProblem, ...ScanProblem[]];
    throw new NonSerializableStateError([first, ...others], [...found.keys()].join(", "));
  }

  #warn(found: ReadonlyMap<string, readonly ScanProblem[]>): void {
    for (const [source, problems] of found) {
      for (const problem of problems) {
        const key = JSON.stringify([source, problem.path, problem.type]);
        if (this.#warned.has(key) || this.#warned.size >= MAX_WARNED) continue;
        this.#warned.add(key);
        process.emitWarning(
          `${source} made state that can't be stored: ${describeProblem(problem)}`,
          {
            type: "ThreadkeepWarning",
            code: problem.code,
          },
        );
      }
    }
  }

  #describe({ config, taskPath }: TaskWrites, tool: string | undefined): string {
    const { checkpoint_ns: ns, checkpoint_id: id } = config.configurable ?? {};
    const target = this.#sends.get(id)?.[sendOfPath(taskPath) ?? -1];
    const node = nodeOfPath(taskPath) ?? target?.node;
    const within = subgraphNames(typeof ns === "string" ? ns : "");
    return [
      this.#name(node, tool ?? target?.tool) ?? ownerOfPath(taskPath) ?? "an update of the state",
      ...within.map((name) => ` in subgraph "${name}"`),
    ].join("");
  }

  #name(node: string | undefined, tool: string | undefined): string | undefined {
    const ofTool = tool === undefined ? undefined : `tool "${tool}"`;
    if (node === undefined) return ofTool;
    if (!this.#isAgent) return `node "${node}"${ofTool === undefined ? "" : ` (${ofTool})`}`;
    const hook = hookOfNode(node);
    if (hook !== undefined) return `middleware ${hook.middleware} (${hook.hook})`;
    if (node === AGENT_NODES.tools) return ofTool ?? "a tool";
    return node === AGENT_NODES.model ? "the model call" : `node "${node}"`;
  }
}

interface Part {
  readonly value: unknown;
  readonly at: readonly (string | number)[];
  readonly tool: string | undefined;
}

/** Each write, and each message of a tool for itself: it names the tool. */
function* partsOf(writes: TaskWrites["writes"]): Generator<Part> {
  const tools = new Set(writes.flatMap(([, value]) => toolsOf(value)));
  const only = tools.size === 1 ? [...tools][0] : undefined;
  for (const [channel, value] of writes) {
    if (ERROR_CHANNELS.has(channel)) continue;
    if (!Array.isArray(value) || toolsOf(value).length === 0) {
      yield { value, at: [channel], tool: only };
      continue;
    }
    for (const [i, item] of (value as unknown[]).entries())
      yield { value: item, at: [channel, i], tool: toolNameOf(item) ?? only };
  }
}

function toolsOf(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value])
    .map(toolNameOf)
    .filter((name) => name !== undefined);
}
