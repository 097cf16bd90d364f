import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assertNoLive,
  Memory,
  play,
  type Scenario,
  scenario,
  type Storage,
  storages,
} from "./play.ts";

const ROUNDS = Number(process.env.THREADKEEP_TEST_ROUNDS ?? 1);
/** The long form cuts off at both ends of each call, and has longer scenarios. */
const isLong = ROUNDS > 1;

/** Cut off after one call or before the next, storage holds the same: the short form takes turns. */
const moments = (call: number): readonly ("before" | "after")[] =>
  isLong ? ["before", "after"] : [call % 2 === 0 ? "before" : "after"];

/** Play a scenario once for each call of the saver that may be the process's last. */
async function playWithCrashes(it: Scenario, openStorage: () => Storage): Promise<number> {
  const whole = openStorage();
  const calls = await play(it, whole, new Memory(it), undefined);
  assertNoLive(whole);
  let repeats = 0;
  for (let call = 1; call <= calls; call++) {
    for (const when of moments(call)) {
      const storage = openStorage();
      const memory = new Memory(it);
      await play(it, storage, memory, { call, when });
      expect(memory.differences).toEqual([]);
      assertNoLive(storage);
      repeats += memory.repeats;
    }
  }
  return repeats;
}

/** A Send that waits for an answer while its thread's private fields and history move on. */
const waitingSend: Scenario = {
  graph: [
    [
      {
        writes: ["history", "token", "vault", "session"],
        sends: [
          {
            token: "state",
            vault: "changed",
            session: "fresh",
            history: "appended",
            deep: true,
            timeout: true,
            asks: true,
            again: {
              token: "state",
              vault: "state",
              session: "absent",
              history: "cut",
              deep: true,
              timeout: false,
            },
          },
        ],
        by: "edge",
        mutates: undefined,
        asks: false,
      },
    ],
  ],
  script: [{ kind: "input" }, { kind: "command" }],
  durability: "sync",
};

describe.each(Object.entries(storages))("a resumed task over %s", (_name, openStorage) => {
  it("sees what it saw the first time, whatever call of the saver a crash cuts off", async () => {
    const property = fc.asyncProperty(scenario(isLong ? 3 : 2), async (it) => {
      await playWithCrashes(it, openStorage);
    });
    await fc.assert(property, { numRuns: 3 * ROUNDS, endOnFailure: !isLong });
  }, 7_200_000);

  it.each(["sync", "async", "exit"] as const)(
    "sees the Send that it waited with, though its thread moved on (%s)",
    async (durability) => {
      // The property holds of nothing unless tasks do run twice.
      const repeats = await playWithCrashes({ ...waitingSend, durability }, openStorage);
      expect(repeats).toBeGreaterThan(0);
    },
    60_000,
  );
});
