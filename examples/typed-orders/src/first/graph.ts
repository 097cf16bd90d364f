import { interrupt, Send, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver, withAllowlist } from "@threadkeep/checkpointer-sqlite";
import type { StorableState } from "@threadkeep/serde";
import { z } from "zod";
import { Cart, Money } from "./domain.ts";

/** The state of an order as it was deployed first. */
const Order = z.object({
  carts: z.map(z.string(), z.instanceof(Cart)).optional(),
  placedAt: z.date().optional(),
  total: z.instanceof(Money).optional(),
  approved: z.boolean().optional(),
});

// A field that can't be stored would be an error here, with its name.
type Order = z.infer<StorableState<typeof Order>>;

/** The graph over a file. Its classes are allowed because its schemas name them. */
export function openOrders(file: string) {
  const graph = new StateGraph(Order)
    .addNode("place", () => ({
      carts: new Map([
        ["ada", new Cart().add("tea", new Money(4.5)).add("cup", new Money(12))],
        ["bob", new Cart().add("pot", new Money(39.99))],
      ]),
      placedAt: new Date("2026-03-01T09:30:00Z"),
    }))
    .addNode("sum", ({ carts }) => ({
      total: [...(carts?.values() ?? [])].reduce((sum, cart) => sum.plus(cart.total), new Money(0)),
    }))
    .addNode("approve", ({ total }) => ({
      approved: interrupt(`Approve ${String(total)}?`) as boolean,
    }))
    .addNode("reserve", () => ({}))
    .addEdge(START, "place")
    .addEdge("place", "sum")
    .addConditionalEdges(
      "sum",
      ({ total }) => [new Send("approve", { total }), new Send("reserve", { total })],
      ["approve", "reserve"],
    )
    .compile({ checkpointer: SqliteSaver.fromConnString(file) });
  return withAllowlist(graph, { scan: "throw" });
}
