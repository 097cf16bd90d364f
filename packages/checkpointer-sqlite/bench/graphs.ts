// The graphs that are run: a chat, a state with large values, an agent with tools.

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageFields } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createAgent, tool } from "langchain";
import { z } from "zod";

/** What the graphs here have in common. */
export interface Runs {
  invoke(input: never, config: object): Promise<unknown>;
}

/** 540 characters. */
export const TEXT: string = "lorem ipsum dolor sit amet ".repeat(20);

/** Answers each message with one of the same length. */
export function chatGraph(checkpointer: BaseCheckpointSaver): Runs {
  return new StateGraph(MessagesAnnotation)
    .addNode("model", ({ messages }) => ({
      messages: [
        new AIMessage({
          content: `${TEXT}${messages.length}`,
          id: `a${messages.length}`,
          usage_metadata: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
        } as AIMessageFields),
      ],
    }))
    .addEdge(START, "model")
    .addEdge("model", END)
    .compile({ checkpointer });
}

/** Runs `edit` on `state` once for each step, in one run. */
export function stepsGraph<T>(
  checkpointer: BaseCheckpointSaver,
  steps: number,
  edit: (value: T, step: number) => T,
): Runs {
  const State = Annotation.Root({ value: Annotation<T>(), step: Annotation<number>() });
  return new StateGraph(State)
    .addNode("edit", ({ value, step }) => ({ value: edit(value, step), step: step + 1 }))
    .addEdge(START, "edit")
    .addConditionalEdges("edit", ({ step }) => (step < steps ? "edit" : END))
    .compile({ checkpointer });
}

/** Asks for three tool calls, then is done. */
class Scripted extends BaseChatModel {
  #calls = 0;

  constructor() {
    super({});
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    const call = this.#calls++;
    const message =
      call % 2 === 1
        ? new AIMessage("done")
        : new AIMessage({
            content: "",
            tool_calls: [0, 1, 2].map((i) => ({
              name: "echo",
              args: { text: `v${i}` },
              id: `c${call}_${i}`,
              type: "tool_call" as const,
            })),
          });
    return { generations: [{ text: "", message }] };
  }
}

export function toolAgent(checkpointer: BaseCheckpointSaver): Runs {
  const echo = tool(({ text }: { text: string }) => `echo ${text}`, {
    name: "echo",
    description: "Says it again",
    schema: z.object({ text: z.string() }),
  });
  return createAgent({ model: new Scripted(), tools: [echo], checkpointer });
}
