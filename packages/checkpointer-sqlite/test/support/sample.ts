import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { METADATA, Steps, thread } from "./thread.ts";

/** Messages of a chat, each with its number in its text. */
export function chat(count: number, from = 0, length = 240): BaseMessage[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i;
    const content = `message ${n} `.padEnd(length, "lorem ipsum dolor ");
    return n % 2 === 0
      ? new HumanMessage({ content, id: `h${n}` })
      : new AIMessage({ content, id: `a${n}`, response_metadata: { usage: { tokens: n } } });
  });
}

/** A thread with something of every kind that a file holds. */
export async function fillThread(saver: BaseCheckpointSaver, threadId: string): Promise<void> {
  const steps = new Steps(saver, thread(threadId));
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `/file-${i}.md`,
      { content: `file ${i} `.padEnd(600, "text "), at: i },
    ]),
  );
  let messages = chat(30);
  const shared = { model: "secret-model", version: 4 };
  await steps.step({
    messages,
    files,
    image: new Uint8Array(9000).fill(7),
    note: "top secret note ".repeat(20),
  });
  for (let i = 0; i < 3; i++) {
    messages = [...messages, ...chat(12, messages.length)];
    for (const message of messages.slice(-2)) message.response_metadata = shared;
    await steps.step({ messages, step: i }, ["messages", "step"]);
    await saver.putWrites(
      steps.config,
      [
        ["messages", chat(1, 1000 + i)],
        ["plan", { todo: `secret todo ${i}` }],
      ],
      `task-${i}`,
      "~__pregel_pull, n",
    );
  }
  await steps.step(
    { files: { ...files, "/file-3.md": { content: "edited ".repeat(90), at: 99 } } },
    ["files"],
  );
  await new Steps(saver, thread(threadId, "child:1")).step({ messages: chat(3), plain: 5 });
  await saver.put(
    steps.config,
    {
      ...(await saver.getTuple(steps.config))!.checkpoint,
      id: "1f1ecb49-0000-6000-8000-000000000000",
      channel_versions: {},
    },
    {
      ...METADATA,
      wide: Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`key ${i}`, `secret value ${i}`]),
      ),
    } as never,
    {},
  );
}
