import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import { persistence, resource } from "@threadkeep/middleware";
import { interrupt } from "@langchain/langgraph";
import { AIMessage, createAgent, fakeModel, tool, type ToolRuntime } from "langchain";
import { z } from "zod";
import { Bash } from "./bash.ts";

/** A class of the user's in the agent's state. */
export class Budget {
  readonly limit: bigint;
  readonly currency: string;

  constructor(limit: bigint, currency: string) {
    this.limit = limit;
    this.currency = currency;
  }

  left(spent: bigint): bigint {
    return this.limit - spent;
  }
}

export interface Workplace {
  readonly file: string;
  readonly folder: string;
  readonly secret: string;
}

const State = z.object({
  startedAt: z.date(),
  spent: z.bigint(),
  budget: z.instanceof(Budget),
});

/** A shell agent: one bash per thread, and a human who approves what writes. */
export function shellAgent({ file, folder, secret }: Workplace) {
  const shell = resource({
    key: "shell",
    create: () => new Bash(folder, secret),
    dispose: (bash) => bash.end(),
  });
  const saver = SqliteSaver.fromConnString(file);

  const bash = tool(
    async ({ command }, runtime: ToolRuntime) => {
      if (command.includes(">")) {
        const approved = interrupt<{ command: string }, boolean>({ command });
        if (!approved) return "The human said no.";
      }
      // The live process, straight from the agent's state.
      const { shell } = runtime.state as { shell: Bash };
      return `[bash ${shell.pid}] ${await shell.run(command)}`;
    },
    {
      name: "bash",
      description: "Run a command in a persistent bash.",
      schema: z.object({ command: z.string() }),
    },
  );

  const agent = withAllowlist(
    createAgent({
      model: chooseModel(),
      tools: [bash],
      stateSchema: State,
      middleware: [persistence({ resources: [shell] })],
      checkpointer: saver,
    }),
    { types: { Budget } },
  );
  return { agent, saver, shell };
}

/** A real model where its key is at hand; else a script that goes by what was said so far. */
function chooseModel() {
  if (process.env.ANTHROPIC_API_KEY) return "anthropic:claude-haiku-4-5";
  if (process.env.OPENAI_API_KEY) return "openai:gpt-5-mini";
  const script = fakeModel();
  for (let i = 0; i < 8; i++) {
    script.respond((messages) => {
      const answers = messages.filter((message) => message.type === "tool").length;
      const call = (command: string) =>
        new AIMessage({
          content: "",
          id: `ai-${answers}`,
          tool_calls: [
            { name: "bash", args: { command }, id: `call-${answers}`, type: "tool_call" },
          ],
        });
      if (answers === 0) return call("greeting=hello; printf 'three\\nlines\\nhere\\n' | wc -l");
      if (answers === 1) return call("echo ${greeting:-a new bash} > report.txt; cat report.txt");
      return new AIMessage({ content: "The report is written.", id: `ai-${answers}` });
    });
  }
  return script;
}

export const QUESTION =
  "Count the lines, then write a report into report.txt. Use the bash tool for each step.";
export const THREAD = { configurable: { thread_id: "demo" }, durability: "sync" as const };
