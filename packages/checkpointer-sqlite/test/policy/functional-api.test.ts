import { Command, entrypoint, interrupt, task } from "@langchain/langgraph";
import { RESOURCE_HOST } from "@threadkeep/serde/policy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withAllowlist } from "../../src/index.ts";
import type { LooseCompiled } from "../loose-graph.ts";
import { config, expectClean, open, types } from "./hardened.ts";
import type { Session } from "./sessions.ts";
import { sqliteFile, type Storage } from "./storages.ts";

let storage: Storage;
beforeEach(() => {
  storage = sqliteFile();
});
afterEach(() => storage.close());

describe("the functional API", () => {
  const counting = { runs: 0 };
  const host = {
    keys: ["session"],
    ensure: async () => ({ session: live }),
    peek: () => ({ session: live }),
    retain: () => undefined,
    release: () => undefined,
    dispose: async () => undefined,
  };
  const live = open();

  it("stores and revives what types name", async () => {
    class Money {
      readonly cents: number = 5;
    }
    const make = (): LooseCompiled => {
      const price = task("price", async () => {
        counting.runs++;
        return new Money();
      });
      const pay = entrypoint("pay", async (_input: object) => {
        const money = await price();
        return { paid: interrupt("pay?") as unknown, money, is: money instanceof Money };
      });
      const graph = withAllowlist(pay, { types: { Money } }) as unknown as LooseCompiled;
      graph.checkpointer = storage.open();
      return graph;
    };
    counting.runs = 0;
    await make().invoke({}, config);
    const result = await make().invoke(new Command({ resume: true }), config);
    expect(result).toEqual({ paid: true, money: new Money(), is: true });
    expect(counting.runs).toBe(1);
  });

  it("refuses a live object that a task gives back", async () => {
    const connect = task("connect", async () => ({ handle: () => 1 }));
    const run = entrypoint("run", async (_input: object) => {
      await connect();
      return interrupt("go on?") as unknown;
    });
    const graph = withAllowlist(run) as unknown as LooseCompiled;
    graph.checkpointer = storage.open();
    await expect(graph.invoke({}, config)).rejects.toMatchObject({
      code: "unsupported_type",
      path: "__return__.handle",
    });
  });

  it("leaves a resource out of what tasks and runs give back, and runs such a task again", async () => {
    const make = (): LooseCompiled => {
      const connect = task("connect", async () => {
        counting.runs++;
        return live;
      });
      const run = entrypoint("run", async (input: { handle?: Session }) => {
        const session = await connect();
        const answer = interrupt({ about: session }) as unknown;
        return entrypoint.final({
          value: { answer, said: session.run(), session },
          save: { session, input },
        });
      });
      const graph = withAllowlist(run, {
        types,
        resources: [{ [RESOURCE_HOST]: host }],
      }) as unknown as LooseCompiled;
      graph.checkpointer = storage.open();
      return graph;
    };
    counting.runs = 0;
    await make().invoke({ handle: live }, config);
    const result = await make().invoke(new Command({ resume: "yes" }), config);
    expect(result).toMatchObject({ answer: "yes", said: "ran" });
    expect(counting.runs).toBe(2);
    expectClean(storage, "connect");
  });
});
