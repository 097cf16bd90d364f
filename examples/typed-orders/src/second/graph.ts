import { interrupt, Send, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import type { StorableState } from "@threadkeep/serde";
import { z } from "zod";
import { Cart, Price } from "./domain.ts";

/** The state as it is now: `total` became `amount`, and `channel` is new and required. */
const Order = z.object({
  carts: z.map(z.string(), z.instanceof(Cart)).optional(),
  placedAt: z.date().optional(),
  amount: z.instanceof(Price).optional(),
  approved: z.boolean().optional(),
  channel: z.enum(["web", "shop"]),
});

type Order = z.infer<StorableState<typeof Order>>;

/** The graph over a file that the first deployment may have written. */
export function openOrders(file: string) {
  const graph = new StateGraph(Order)
    .addNode("place", () => ({
      carts: new Map([["ada", new Cart().add("tea", new Price(4_50n, "EUR"))]]),
      placedAt: new Date(),
    }))
    .addNode("sum", ({ carts }) => ({
      amount: [...(carts?.values() ?? [])]
        .map((cart) => cart.total)
        .reduce((sum, total) => sum.plus(total)),
    }))
    .addNode("approve", ({ amount }) => ({
      approved: interrupt(`Approve ${String(amount)}?`) as boolean,
    }))
    .addNode("reserve", () => ({}))
    .addNode("ship", () => ({}))
    .addEdge(START, "place")
    .addEdge("place", "sum")
    .addConditionalEdges(
      "sum",
      ({ amount }) => [new Send("approve", { amount }), new Send("reserve", { amount })],
      ["approve", "reserve"],
    )
    .addEdge("approve", "ship")
    .compile({ checkpointer: SqliteSaver.fromConnString(file) });
  return withAllowlist(graph, {
    scan: "throw",
    validate: true,
    state: {
      version: 2,
      migrate: { 1: { rename: { total: "amount" }, add: { channel: () => "web" } } },
    },
  });
}
