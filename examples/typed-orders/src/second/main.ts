/** The second deployment: finds an order of the first one, and goes on with it. */
import { Command } from "@langchain/langgraph";
import { openOrders } from "./graph.ts";

const [file = ""] = process.argv.slice(2);
const graph = openOrders(file);
const thread = { configurable: { thread_id: "order-7" } };
const before = await graph.getState(thread);
const question = before.tasks.flatMap(({ interrupts }) => interrupts)[0]?.value as string;
const order = await graph.invoke(new Command({ resume: true }), thread);
console.log(
  JSON.stringify({
    pid: process.pid,
    question,
    approved: order.approved,
    amount: String(order.amount),
    amountIs: order.amount?.constructor.name,
    channel: order.channel,
    placedAt: order.placedAt?.toISOString(),
    carts: [...(order.carts ?? [])].map(
      ([owner, cart]) =>
        `${owner}: ${cart.constructor.name}, ${String(cart.total)}, gift ${cart.gift}`,
    ),
    fields: Object.keys(order).sort(),
  }),
);
