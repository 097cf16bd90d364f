import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@langchain/langgraph";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openOrders as openFirst } from "../src/first/graph.ts";
import { runPart } from "../src/run-part.ts";
import { Cart, Price } from "../src/second/domain.ts";
import { openOrders as openSecond } from "../src/second/graph.ts";

const thread = { configurable: { thread_id: "order-7" } };
let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "threadkeep-orders-test-"));
  file = join(home, "orders.db");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("goes on in a second process with other classes and another state", async () => {
  const placed = await runPart("first", file);
  expect(placed).toMatchObject({
    waitsFor: ["approve"],
    total: "56.49 EUR",
    fields: ["carts", "placedAt", "total"],
  });
  const finished = await runPart("second", file);
  expect(finished.pid).not.toBe(placed.pid);
  expect(finished).toMatchObject({
    question: "Approve 56.49 EUR?",
    approved: true,
    amount: "56.49 EUR",
    amountIs: "Price",
    channel: "web",
    placedAt: "2026-03-01T09:30:00.000Z",
    carts: ["ada: Cart, 16.50 EUR, gift false", "bob: Cart, 39.99 EUR, gift false"],
    fields: ["amount", "approved", "carts", "channel", "placedAt"],
  });
});

describe("in one process", () => {
  it("gives instances of the present classes, and asks with the present ones", async () => {
    await openFirst(file).invoke({}, thread);
    const graph = openSecond(file);
    const { values } = await graph.getState(thread);
    expect(values.amount).toBeInstanceOf(Price);
    expect([...(values.carts?.values() ?? [])].every((cart) => cart instanceof Cart)).toBe(true);
    const history = [];
    for await (const { values: old } of graph.getStateHistory(thread)) history.push(old);
    expect(history.some(({ carts }) => carts?.get("ada") instanceof Cart)).toBe(true);
    expect(history.every((old) => !Object.hasOwn(old, "total"))).toBe(true);
    await graph.invoke(new Command({ resume: false }), thread);
    expect((await graph.getState(thread)).values.approved).toBe(false);
  });

  it("is not taken back to the first deployment by mistake", async () => {
    await openFirst(file).invoke({}, thread);
    await openSecond(file).invoke(new Command({ resume: true }), thread);
    await expect(openFirst(file).getState(thread)).rejects.toThrow(/version 2|not in types/);
  });
});
