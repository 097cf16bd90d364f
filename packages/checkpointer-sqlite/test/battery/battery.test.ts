import { SqliteSaver as StockSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { SqliteSaver, withAllowlist } from "../../src/index.ts";
import { MESSAGES } from "./messages.ts";
import { type BatteryCase, type BatteryStack, survive } from "./survive.ts";
import { LOOKALIKES, Money, REFUSED, VALUES } from "./values.ts";

const CASES: readonly BatteryCase[] = [...VALUES, ...LOOKALIKES, ...MESSAGES, ...REFUSED];

const OURS: BatteryStack = {
  open: (file) => {
    const saver = SqliteSaver.fromConnString(file);
    return { saver, close: () => saver.close() };
  },
  harden: (graph) => withAllowlist(graph as never, { types: { Money } }) as never,
};

const STOCK: BatteryStack = {
  open: (file) => {
    const saver = StockSaver.fromConnString(file);
    return { saver, close: () => saver.db.close() };
  },
  harden: (graph) => graph,
};

const wanted = ({ isRefused }: BatteryCase): string => (isRefused ? "refused" : "exact");

describe("a value in a state", () => {
  const kept = { ours: 0, stock: 0 };

  afterAll(() => {
    console.log(
      `state battery: ${kept.ours} of ${CASES.length}; stock SqliteSaver ${kept.stock} of ${CASES.length}`,
    );
  });

  it("is one of 72", () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(72);
  });

  it.each(CASES)("survives an interrupt and a restart, or is refused: $name", async (one) => {
    const outcome = await survive(OURS, one);
    if (outcome === wanted(one)) kept.ours++;
    if ((await survive(STOCK, one)) === wanted(one)) kept.stock++;
    expect(outcome).toBe(wanted(one));
  });
});
