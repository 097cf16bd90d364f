import { SqliteSaver } from "@threadkeep/checkpointer-sqlite";
import { SqliteSaver as StockSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { AIMessage, HumanMessage } from "langchain";
import { join } from "node:path";
import { storedBytes } from "./stored-bytes.ts";

const WORDS = "the answer to a question of some length, as agents give them; ".repeat(6);

/** Bytes that a chat of so many turns takes, here and with the stock saver. */
export async function longChat(
  turns: number,
  folder: string,
): Promise<{ readonly here: number; readonly stock: number }> {
  const files = { here: join(folder, "chat-here.db"), stock: join(folder, "chat-stock.db") };
  const here = SqliteSaver.fromConnString(files.here);
  await chat(here, turns);
  await here.close();
  const stock = StockSaver.fromConnString(files.stock);
  await chat(stock as never, turns);
  stock.db.close();
  return { here: storedBytes(files.here), stock: storedBytes(files.stock) };
}

async function chat(checkpointer: BaseCheckpointSaver, turns: number): Promise<void> {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => ({
      messages: [new AIMessage({ id: `ai-${messages.length}`, content: WORDS + messages.length })],
    }))
    .addEdge(START, "answer")
    .addEdge("answer", END)
    .compile({ checkpointer });
  for (let turn = 1; turn <= turns; turn++)
    await graph.invoke(
      { messages: [new HumanMessage({ id: `human-${turn}`, content: `Question ${turn}?` })] },
      { configurable: { thread_id: "chat" } },
    );
}
