// One graph of policy-cost.ts, hardened or plain, in a process of its own: each message asks for a
// round on a new thread, and is answered with the processor time of one of its turns.

import { Annotation, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import { privateState, untracked } from "@threadkeep/serde/policy";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { z } from "zod";

interface Invokable {
  invoke(input: object, config: object): Promise<unknown>;
}

const TURNS = 20;
const TEXT = "What was said in this turn, at about the length of a sentence or two. ".repeat(4);

/** Two nodes and a history. */
function chat(): Invokable {
  return new StateGraph(MessagesAnnotation)
    .addNode("plan", () => ({}))
    .addNode("answer", () => ({ messages: [{ role: "assistant", content: TEXT }] }))
    .addEdge(START, "plan")
    .addEdge("plan", "answer")
    .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }) as unknown as Invokable;
}

/** The same with fields of every kind; what is untracked is plain data, which both can store. */
function marked(): Invokable {
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    session: untracked(Annotation<object>()),
    token: privateState(Annotation<string>()),
  });
  return new StateGraph(State)
    .addNode("plan", () => ({ session: { open: true }, token: "t" }))
    .addNode("answer", () => ({ messages: [{ role: "assistant", content: TEXT }] }))
    .addEdge(START, "plan")
    .addEdge("plan", "answer")
    .compile({ checkpointer: SqliteSaver.fromConnString(":memory:") }) as unknown as Invokable;
}

/** A model that calls a tool, and answers. */
function agent(): Invokable {
  const model = fakeModel();
  const look = tool(() => TEXT, { name: "look", description: "Look.", schema: z.object({}) });
  for (let i = 0; i < 100_000; i++) {
    const calls = [{ name: "look", args: {}, id: `call-${i}`, type: "tool_call" as const }];
    model.respond(new AIMessage({ content: "", tool_calls: calls }));
    model.respond(new AIMessage(TEXT));
  }
  return createAgent({
    model,
    tools: [look],
    version: "v1",
    checkpointer: SqliteSaver.fromConnString(":memory:"),
  }) as unknown as Invokable;
}

const cases: Readonly<Record<string, () => Invokable>> = {
  chat,
  "chat with untracked and private fields": marked,
  "agent with a tool": agent,
};

const [name = "", kind] = process.argv.slice(2);
const made = (cases[name] as () => Invokable)();
const graph = kind === "hardened" ? withAllowlist(made) : made;

process.on("message", (thread) => {
  void round(String(thread)).then((ms) => process.send?.(ms));
});
process.send?.("ready");

async function round(thread: string): Promise<number> {
  const config = { configurable: { thread_id: thread } };
  const start = process.cpuUsage();
  for (let turn = 0; turn < TURNS; turn++)
    await graph.invoke({ messages: [{ role: "user", content: `${turn} ${TEXT}` }] }, config);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / TURNS;
}
