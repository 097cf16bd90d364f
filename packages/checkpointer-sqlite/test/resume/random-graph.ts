import { Annotation, Command, END, interrupt, Send, START } from "@langchain/langgraph";
import { privateState, untracked } from "@threadkeep/serde/policy";
import * as fc from "fast-check";
import { looseGraph, type LooseBuilder } from "../loose-graph.ts";

/** What a Send carries under each key: the router's own state, something else, or nothing. */
export interface SendSpec {
  readonly token: "state" | "own" | "null" | "absent";
  readonly vault: "state" | "same content" | "changed" | "absent";
  readonly session: "state" | "fresh" | "absent";
  readonly history: "state" | "appended" | "cut" | "absent";
  readonly deep: boolean;
  readonly timeout: boolean;
  /** The worker asks a person first. */
  readonly asks: boolean;
  /** The worker sends this on, after writing to the private fields. */
  readonly again: Omit<SendSpec, "again" | "asks"> | undefined;
}

export interface NodeSpec {
  readonly writes: readonly ("history" | "token" | "vault" | "session" | "plain")[];
  readonly sends: readonly SendSpec[];
  readonly by: "edge" | "command";
  readonly mutates: "history" | "vault" | undefined;
  readonly asks: boolean;
}

/** Steps of nodes that run side by side. */
export type GraphSpec = readonly (readonly NodeSpec[])[];

type Args = Record<string, unknown>;

/** Called by every task as it starts. */
export type Witness = (taskId: string, node: string, args: Args) => void;

export const SECRET = "PRIV-";
export const LIVE = "LIVE-";

const sendFields = {
  token: fc.constantFrom("state", "own", "null", "absent"),
  vault: fc.constantFrom("state", "same content", "changed", "absent"),
  session: fc.constantFrom("state", "fresh", "absent"),
  history: fc.constantFrom("state", "appended", "cut", "absent"),
  deep: fc.boolean(),
  timeout: fc.boolean(),
} as const;

const sendSpec: fc.Arbitrary<SendSpec> = fc.record({
  ...sendFields,
  asks: fc.boolean(),
  again: fc.option(fc.record(sendFields), { nil: undefined }),
});

const nodeSpec: fc.Arbitrary<NodeSpec> = fc.record({
  writes: fc.uniqueArray(fc.constantFrom("history", "token", "vault", "session", "plain"), {
    maxLength: 5,
  }),
  sends: fc.array(sendSpec, { maxLength: 2 }),
  by: fc.constantFrom("edge", "command"),
  mutates: fc.option(fc.constantFrom("history", "vault"), { nil: undefined, freq: 4 }),
  asks: fc.nat(7).map((dice) => dice === 0),
});

/** Graphs of up to so many steps. */
export const graphSpec = (steps: number): fc.Arbitrary<GraphSpec> =>
  fc.array(fc.array(nodeSpec, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: steps });

interface Item {
  id: number;
  text: string;
}

const lastWins = { reducer: (_old: unknown, value: unknown) => value };
const concat = {
  reducer: (old: unknown[], more: unknown[]) => [...old, ...more],
  default: (): unknown[] => [],
};

/** The graph of a spec. Every number it makes up is new, so no value is the same by chance. */
export function buildGraph(
  spec: GraphSpec,
  witness: Witness,
  saver: unknown,
): ReturnType<LooseBuilder["compile"]> {
  let count = Math.floor(Math.random() * 1e9);
  const next = (): number => ++count;
  const secret = (): string => `${SECRET}${next()}`;
  const State = Annotation.Root({
    history: Annotation<unknown[]>(concat),
    plain: Annotation<unknown>(lastWins),
    token: privateState(Annotation<unknown>(lastWins)),
    // No two runs of this reducer give the same.
    vault: privateState(
      Annotation<unknown>({
        reducer: (_old, value) => ({ ...(value as object), stamp: next() }),
      }),
    ),
    session: untracked(Annotation<unknown>(lastWins)),
    log: Annotation<unknown[]>(concat),
  });
  const freshVault = () => ({ secret: secret(), more: [secret()], pad: "x".repeat(120) });
  const freshSession = () => ({ secret: `${LIVE}${next()}` });
  const item = (): Item => ({ id: next(), text: `${next()}`.repeat(20) });

  function update(writes: NodeSpec["writes"]): Args {
    const values: Args = { log: [next()] };
    for (const key of writes) {
      if (key === "history") values.history = [item()];
      if (key === "token") values.token = secret();
      if (key === "vault") values.vault = freshVault();
      if (key === "session") values.session = freshSession();
      if (key === "plain") values.plain = next();
    }
    return values;
  }

  function send(
    node: string,
    state: Args,
    spec: Omit<SendSpec, "asks" | "again">,
    more: Args,
  ): Send {
    const args: Args = { ...state, ...more };
    if (spec.token === "own") args.token = secret();
    if (spec.token === "null") args.token = null;
    if (spec.vault === "same content") args.vault = structuredClone(state.vault);
    if (spec.vault === "changed") args.vault = { ...(state.vault as object), note: secret() };
    if (spec.session === "fresh") args.session = freshSession();
    const history = (state.history ?? []) as unknown[];
    if (spec.history === "appended") args.history = [...history, item()];
    if (spec.history === "cut") args.history = history.slice(1);
    if (spec.deep) args.deep = [{ session: args.session, map: new Map([["s", args.session]]) }];
    for (const key of ["token", "vault", "session", "history"] as const)
      if (spec[key] === "absent") delete args[key];
    return new Send(node, args, spec.timeout ? { timeout: 60_000 } : undefined);
  }

  const sends = (state: Args, specs: readonly SendSpec[]): Send[] =>
    specs.map((each) => send("work", state, each, { asks: each.asks, again: each.again }));

  const builder = looseGraph(State);
  spec.forEach((nodes, step) =>
    nodes.forEach((node, i) => {
      const name = `n${step}_${i}`;
      builder.addNode(
        name,
        (state: Args, config: Config) => {
          witness(taskIdOf(config), name, state);
          if (node.asks) interrupt(`${name}?`);
          mutate(state, node.mutates);
          const values = update(node.writes);
          if (node.by === "edge") return values;
          return new Command({
            update: values,
            goto: sends({ ...state, ...without(values) }, node.sends),
          });
        },
        { ends: ["work"] },
      );
      if (node.by === "edge")
        builder.addConditionalEdges(name, (state: Args) => sends(state, node.sends), ["work"]);
      else builder.addEdge(name, "sink");
    }),
  );
  builder.addNode("sink", () => ({}));
  builder.addNode(
    "work",
    (args: Args, config: Config) => {
      witness(taskIdOf(config), "work", args);
      if (args.asks === true) interrupt("work?");
      const again = args.again as SendSpec["again"];
      const values = update(["vault", "history"]);
      if (again === undefined) return values;
      return new Command({
        update: values,
        goto: [send("again", without(args), again, {})],
      });
    },
    { ends: ["again"] },
  );
  builder.addNode("again", (args: Args, config: Config) => {
    witness(taskIdOf(config), "again", args);
    return { log: [next()] };
  });
  const names = spec.map((nodes, step) => nodes.map((_node, i) => `n${step}_${i}`));
  for (const name of [...(names[0] ?? []), "sink"]) builder.addEdge(START, name);
  names.slice(1).forEach((step, i) => {
    for (const name of step) builder.addEdge(names[i] as string[], name);
  });
  for (const name of [...(names.at(-1) ?? []), "work", "again", "sink"]) builder.addEdge(name, END);
  return builder.compile({ checkpointer: saver });
}

/** State fields that a Command's update would run through reducers before anybody sees them. */
function without({
  log: _log,
  history: _history,
  asks: _asks,
  again: _again,
  ...rest
}: Args): Args {
  return rest;
}

function mutate(state: Args, what: NodeSpec["mutates"]): void {
  const value = what === "history" ? (state.history as Item[] | undefined)?.[0] : state.vault;
  if (what !== undefined && typeof value === "object" && value !== null)
    Object.assign(value, { text: "changed in place" });
}

interface Config {
  readonly configurable: Readonly<Record<string, unknown>>;
}

function taskIdOf({ configurable }: Config): string {
  return configurable.__pregel_task_id as string;
}
