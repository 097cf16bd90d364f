import { Annotation, Send, START, END } from "@langchain/langgraph";
import { privateState, untracked } from "@threadkeep/serde/policy";
import type { Types } from "@threadkeep/serde";
import { expect } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import { looseGraph, type LooseBuilder, type LooseCompiled } from "../loose-graph.ts";
import { SECRET, type Session, sessions } from "./sessions.ts";
import type { Storage } from "./storages.ts";

/** Live objects that could be kept: their class is in `types`. */
const kept = sessions["an instance of a class in types"]!;
export const open: () => Session = kept.open;
export const types: Types = kept.types!;

export const config: {
  readonly configurable: { readonly thread_id: string };
  readonly durability: "sync";
} = {
  configurable: { thread_id: "1" },
  durability: "sync",
};

export const State: unknown = Annotation.Root({
  session: untracked(Annotation<Session>({ reducer: (_old, value) => value })),
  token: privateState(Annotation<string>({ reducer: (_old, value) => value })),
  more: Annotation<unknown>({ reducer: (_old, value) => value }),
});

/** Puts a live object into every way into storage. */
export function builder(): LooseBuilder {
  return looseGraph(State)
    .addNode("a", () => {
      const session = open();
      return { session, more: { nested: [session] }, token: "private-of-a" };
    })
    .addNode("w", ({ more }: { more: unknown }) => ({ more: [more, "worked"] }))
    .addEdge(START, "a")
    .addConditionalEdges("a", (state: object) => [new Send("w", { ...state })], ["w"])
    .addEdge("w", END);
}

export const harden = (graph: unknown, options: object = {}): LooseCompiled =>
  withAllowlist(graph as object, { types, ...options }) as LooseCompiled;

/** That storage was written to, and holds nothing of a live object. */
export function expectClean(storage: Storage, marker = "worked"): void {
  expect(storage.bytes()).toContain(marker);
  expect(storage.bytes()).not.toContain(SECRET);
}
