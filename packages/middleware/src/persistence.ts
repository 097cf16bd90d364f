import { RESOURCE_HOST, type ResourceHost, untracked } from "@threadkeep/serde/policy";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod/v4";
import { MiddlewareError } from "./errors.ts";
import type { Resource } from "./resource.ts";

/** Options of {@link persistence}. */
export interface PersistenceOptions {
  /** Live objects that hooks and tools find in the state. @defaultValue none */
  readonly resources?: readonly Resource<object>[];
}

/** What {@link persistence} gives: LangChain's middleware, and a way to end a thread's objects. */
export type PersistenceMiddleware = AgentMiddleware & {
  /** End every resource of a thread. */
  dispose(threadId: string): Promise<void>;
};

/**
 * Middleware that keeps live objects beside an agent's state: in reach of every hook and tool, and
 * out of storage. Harden the agent with `withAllowlist`, which keeps them out of every way into it.
 *
 * @throws {@link MiddlewareError} `invalid_options` for two resources with one key
 *
 * @example
 * ```ts
 * const agent = withAllowlist(createAgent({
 *   model,
 *   tools,
 *   middleware: [persistence({ resources: [shell] })],
 *   checkpointer: SqliteSaver.fromConnString("agent.db"),
 * }));
 * ```
 */
export function persistence(options: PersistenceOptions = {}): PersistenceMiddleware {
  const resources = options.resources ?? [];
  const keys = resources.map(({ key }) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw new MiddlewareError("invalid_options", `Two resources have the key "${twice}"`);
  const host: ResourceHost = {
    keys,
    ensure: async (threadId) => record(resources, await Promise.all(resources.map((each) => each.ensure(threadId)))),
    peek: (threadId) => record(resources, resources.map((each) => each.peek(threadId))),
    dispose: async (threadId) => disposeAll(resources, threadId),
  };
  const middleware = createMiddleware({
    name: "Persistence",
    stateSchema: z.object(Object.fromEntries(keys.map((key) => [key, untracked()]))),
    // A hook, so that the agent takes the middleware's state into its graph.
    beforeAgent: () => undefined,
  });
  return Object.assign(middleware, { [RESOURCE_HOST]: host, dispose: host.dispose });
}

function record(resources: readonly Resource<object>[], objects: readonly unknown[]): Record<string, unknown> {
  const entries = resources.map(({ key }, i) => [key, objects[i]] as const);
  return Object.fromEntries(entries.filter(([, object]) => object !== undefined));
}

/** One that fails does not keep the others from ending. */
async function disposeAll(resources: readonly Resource<object>[], threadId: string): Promise<void> {
  const results = await Promise.allSettled(resources.map((each) => each.dispose(threadId)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
