import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver, untracked, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import { resource } from "@threadkeep/middleware";
import { Service } from "./service.ts";

/** What a worker found, and in which process. */
export interface Count {
  readonly chapter: number;
  readonly words: number;
  readonly pid: number;
}

const State = Annotation.Root({
  /** Goes to every worker, and is stored once. */
  book: Annotation<string[]>(),
  /** Goes to every worker, and is never stored. */
  service: untracked(Annotation<Service>()),
  chapter: Annotation<number>(),
  counts: Annotation<Count[], Count>({
    reducer: (before, one) => [...before, one],
    default: () => [],
  }),
  total: Annotation<number>(),
});

/** Counts the words of a book, a worker for each chapter. The service is silent on one of them, or on none. */
export function openCounter(saver: SqliteSaver, silentOn?: number) {
  const service = resource({ key: "service", create: () => new Service(silentOn) });
  const graph = new StateGraph(State)
    .addNode("plan", () => ({}))
    .addNode("count", async ({ book, chapter, service }) => ({
      counts: {
        chapter,
        words: await service.count(chapter, book[chapter] ?? ""),
        pid: process.pid,
      },
    }))
    .addNode("sum", ({ counts }) => ({ total: counts.reduce((sum, { words }) => sum + words, 0) }))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => state.book.map((_text, chapter) => new Send("count", { ...state, chapter })),
      ["count"],
    )
    .addEdge("count", "sum")
    .addEdge("sum", END)
    .compile({ checkpointer: saver });
  return withAllowlist(graph, { resources: [service] });
}
