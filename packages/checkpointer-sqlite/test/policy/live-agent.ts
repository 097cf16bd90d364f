import { tool } from "@langchain/core/tools";
import type { MemorySaver } from "@langchain/langgraph";
import { untracked } from "@threadkeep/serde/policy";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import * as z from "zod";
import type { LooseCompiled } from "../loose-graph.ts";
import { open } from "./hardened.ts";
import type { Session } from "./sessions.ts";

const useSession = tool(
  (_input, runtime) => {
    const { session } = (runtime as unknown as { state: { session?: Session } }).state;
    return `called ${session?.run() ?? "without"}`;
  },
  { name: "use", description: "Use.", schema: z.object({}) },
);

/** An agent, as far as tests use it. */
export interface TestAgent {
  checkpointer: unknown;
  readonly graph: LooseCompiled;
  invoke(input: object, config: object): Promise<{ messages: { type: string; text: string }[] }>;
  withConfig(config: object): TestAgent;
}

/** An agent with a live object in a field of its middleware, and a tool that uses it. */
export function makeAgent(saver?: object): TestAgent {
  const middleware = createMiddleware({
    name: "Live",
    stateSchema: z.object({ session: untracked<Session>(), _token: z.string().optional() }),
    beforeAgent: () => ({ session: open(), _token: "private-of-the-agent" }),
  });
  return createAgent({
    model: fakeModel()
      .respondWithTools([
        { name: "use", args: {} },
        { name: "use", args: {} },
      ])
      .respondWithTools([]),
    tools: [useSession],
    middleware: [middleware],
    ...(saver === undefined ? {} : { checkpointer: saver as MemorySaver }),
  }) as unknown as TestAgent;
}
