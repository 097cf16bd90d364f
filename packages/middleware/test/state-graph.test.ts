import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Annotation,
  Command,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { resource, untracked } from "../src/index.ts";

const SECRET = "secret-of-a-graphs-resource-3f3f";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadkeep-graph-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("gives the nodes and Send workers of a plain StateGraph the thread's object", async () => {
  const seen: Record<string, unknown[]> = {};
  const see = (place: string, object: unknown): void => void (seen[place] ??= []).push(object);
  const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
  const State = Annotation.Root({
    db: untracked(Annotation<{ token: string }>()),
    part: Annotation<number>(),
    done: Annotation<number[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  const build = () => {
    const db = resource({ key: "db", create: () => ({ token: SECRET }) });
    const graph = withAllowlist(
      new StateGraph(State)
        .addNode("first", async (state, config: LangGraphRunnableConfig) => {
          see("first", state.db);
          see("get", await db.get(config));
          return {};
        })
        .addNode("work", (state) => {
          see("work", state.db);
          interrupt("?");
          return { done: [state.part] };
        })
        .addEdge(START, "first")
        .addConditionalEdges(
          "first",
          (state) => [1, 2].map((part) => new Send("work", { ...state, part })),
          ["work"],
        )
        .addEdge("work", END)
        .compile({ checkpointer: saver }),
      { resources: [db] },
    );
    return { graph, db };
  };
  const config = { configurable: { thread_id: "1" } };
  const first = build();
  await first.graph.invoke({ part: 0 }, config);
  const object = first.db.peek("1");
  for (const [place, objects] of Object.entries(seen))
    expect([place, ...new Set(objects)]).toEqual([place, object]);
  for (const key of Object.keys(seen)) delete seen[key];

  const second = build();
  const { tasks } = await second.graph.getState(config);
  expect(second.db.peek("1")).toBeUndefined();
  const resume = Object.fromEntries(
    tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => [id as string, true])),
  );
  const result = await second.graph.invoke(new Command({ resume }), config);
  expect(result.done.sort()).toEqual([1, 2]);
  expect(new Set(seen.work)).toEqual(new Set([second.db.peek("1")]));
  expect(second.db.peek("1")).not.toBe(object);
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString("latin1"))
    .join("");
  expect(bytes.includes(SECRET)).toBe(false);
  await saver.close();
});
