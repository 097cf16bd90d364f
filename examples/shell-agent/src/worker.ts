/**
 * One process of the demo: `start` runs until the agent asks for approval, `resume` approves and
 * finishes. Prints one line of JSON when its part is done.
 */
import { Command } from "@langchain/langgraph";
import { inspect } from "node:util";
import { Budget, QUESTION, shellAgent, THREAD } from "./agent.ts";

interface State {
  readonly messages: readonly { readonly type: string; readonly content: unknown }[];
  readonly startedAt: unknown;
  readonly spent: bigint;
  readonly budget: unknown;
}

const [, , part, file, folder, secret, durability = "sync"] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string,
  string?,
];
const { agent, saver, shell } = shellAgent({ file, folder, secret });
const config = { ...THREAD, durability: durability as "sync" };

const input =
  part === "start"
    ? {
        messages: [{ role: "user", content: QUESTION }],
        startedAt: new Date(),
        spent: 10n ** 18n,
        budget: new Budget(5n * 10n ** 18n, "USD"),
      }
    : new Command({ resume: true });

await agent.invoke(input as never, config);
const { values, next } = (await agent.getState(config)) as { values: State; next: string[] };
const budget: unknown = values.budget;
const bash = await shell.get(config);
const report = {
  part,
  pid: process.pid,
  bash: bash.pid,
  next,
  said: values.messages.filter(({ type }) => type === "tool").map(({ content }) => content),
  last: values.messages.at(-1)?.content,
  startedAt: inspect(values.startedAt),
  spent: inspect(values.spent),
  budget:
    budget instanceof Budget
      ? `${budget.constructor.name}, ${budget.left(values.spent)} ${budget.currency} left`
      : inspect(budget),
};
console.log(JSON.stringify(report));
if (part === "start" && process.env.DEMO_WAIT)
  await new Promise(() => setInterval(() => undefined, 1000));
await bash.end();
await saver.close();
