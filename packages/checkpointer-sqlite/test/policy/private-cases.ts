import { Command, Send, START } from "@langchain/langgraph";
import type { LooseBuilder } from "../loose-graph.ts";
import { type Args, secret } from "./processes.ts";

/** What a Send may hold of private fields. */
export interface Case {
  readonly name: string;
  /** A graph whose Sends go to `work`. */
  build(builder: LooseBuilder): LooseBuilder;
  readonly input?: Args;
}

/** A node `a` whose router sends what it makes of its own state. */
function routed(name: string, node: () => object, route: (state: Args) => Args): Case {
  return {
    name,
    build: (builder) =>
      builder
        .addNode("a", node)
        .addEdge(START, "a")
        .addConditionalEdges("a", (state: Args) => [new Send("work", route(state))], ["work"]),
  };
}

const whole = (state: Args): Args => ({ ...state });
const vault = (): object => ({ key: secret(), deep: [{ key: secret() }], at: new Date(5), n: 1n });

export const cases: readonly Case[] = [
  routed("the whole state", () => ({}), whole),
  routed("what the router's own task wrote", () => ({ token: secret(), once: secret() }), whole),
  routed("what a reducer makes anew each time", () => ({ vault: vault() }), whole),
  routed(
    "a value of its own",
    () => ({ token: secret() }),
    (state) => ({
      ...state,
      token: secret(),
    }),
  ),
  routed(
    "a value made of the channel's",
    () => ({ vault: vault() }),
    (state) => ({
      ...state,
      vault: { ...(state.vault as object), more: secret() },
    }),
  ),
  routed(
    "a copy of the channel's",
    () => ({ vault: vault() }),
    (state) => ({
      ...state,
      vault: structuredClone(state.vault),
    }),
  ),
  routed(
    "no private field at all",
    () => ({ token: secret() }),
    () => ({ only: "this" }),
  ),
  routed(
    "null, undefined and odd values",
    () => ({ token: secret(), vault: vault() }),
    () => ({
      token: null,
      once: undefined,
      vault: new Map<unknown, unknown>([[secret(), new Set([Number.NaN, -0, 2n ** 70n])]]),
    }),
  ),
  routed(
    "undefined, which the field holds",
    () => ({ token: undefined, once: undefined, history: [{ text: "two" }] }),
    (state) => ({ ...state, vault: secret() }),
  ),
  routed(
    "lists with holes",
    () => ({ token: [secret(), , 1], plain: ["a text of some length", , 1, ,] }),
    (state) => ({ ...state, own: [, 2] }),
  ),
  routed(
    "what Sends inside of it carry",
    () => ({ vault: vault() }),
    (state) => ({
      again: new Send("work", { ...state, token: secret() }),
      list: [{ node: "work", args: { once: secret(), deep: new Send("work", { ...state }) } }],
    }),
  ),
  routed(
    "a record without a prototype",
    () => ({}),
    (state) => Object.assign(Object.create(null) as Args, state, { token: secret() }),
  ),
  routed(
    "a private value that holds a live object",
    () => ({}),
    (state) => ({
      ...state,
      session: { handle: secret() },
      vault: { key: secret() },
    }),
  ),
  {
    name: "what a node beside it has changed by then",
    build: (builder) =>
      builder
        .addNode("a", () => ({ token: secret(), vault: vault(), history: [{ from: "a" }] }))
        .addNode("b", () => ({ token: secret(), vault: vault(), history: [{ from: "b" }] }))
        .addEdge(START, "a")
        .addEdge(START, "b")
        .addConditionalEdges("a", (state: Args) => [new Send("work", whole(state))], ["work"])
        .addConditionalEdges("b", (state: Args) => [new Send("work", whole(state))], ["work"]),
  },
  {
    name: "the state before a Command's update",
    build: (builder) =>
      builder
        .addNode(
          "a",
          (state: Args) =>
            new Command({
              update: { token: secret(), vault: vault() },
              goto: [new Send("work", whole(state)), new Send("work", { token: secret() })],
            }),
          { ends: ["work"] },
        )
        .addEdge(START, "a"),
  },
  {
    name: "what was changed in place since its checkpoint was stored",
    build: (builder) =>
      builder
        .addNode("a", () => ({ vault: vault() }))
        .addNode("b", (state: Args) => {
          (state.vault as Args).key = secret();
          (state.history as Args[])[0]!.text = "changed";
          return {};
        })
        .addEdge(START, "a")
        .addEdge("a", "b")
        .addConditionalEdges("b", (state: Args) => [new Send("work", whole(state))], ["work"]),
  },
  {
    name: "many tasks' own and common values",
    build: (builder) =>
      builder
        .addNode("a", () => ({ vault: vault() }))
        .addEdge(START, "a")
        .addConditionalEdges(
          "a",
          (state: Args) =>
            [0, 1, 2, 3].map(
              (n) => new Send("work", { ...state, n, ...(n % 2 ? { token: n } : {}) }),
            ),
          ["work"],
        ),
  },
];
