/** The first deployment: places an order, and stops where a person has to approve it. */
import { openOrders } from "./graph.ts";

const [file = ""] = process.argv.slice(2);
const graph = openOrders(file);
const thread = { configurable: { thread_id: "order-7" } };
await graph.invoke({}, thread);
const { values, next } = await graph.getState(thread);
console.log(
  JSON.stringify({
    pid: process.pid,
    waitsFor: next,
    total: String(values.total),
    fields: Object.keys(values).sort(),
  }),
);
