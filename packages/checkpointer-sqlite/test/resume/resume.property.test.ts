import fc from "fast-check";
import { expect, it } from "vitest";
import { assertNoLive, Memory, play, scenario, storages } from "./play.ts";

/** The long form: THREADKEEP_LONG_TESTS=1. */
const isLong = process.env.THREADKEEP_LONG_TESTS === "1";

it.each(Object.entries(storages))(
  "shows a resumed task what it saw the first time, whatever call of the saver a crash cuts off (%s)",
  async (_name, openStorage) => {
    let repeats = 0;
    await fc.assert(
      fc.asyncProperty(scenario(isLong ? 3 : 2), async (it) => {
        const whole = openStorage();
        const calls = await play(it, whole, new Memory(it), undefined);
        assertNoLive(whole);
        for (let call = 1; call <= calls; call++) {
          for (const when of ["before", "after"] as const) {
            const storage = openStorage();
            const memory = new Memory(it);
            await play(it, storage, memory, { call, when });
            repeats += memory.repeats;
            expect(memory.differences).toEqual([]);
            assertNoLive(storage);
          }
        }
      }),
      { numRuns: isLong ? 300 : 6, endOnFailure: !isLong },
    );
    // The property holds of nothing unless tasks did run twice.
    expect(repeats).toBeGreaterThan(10);
  },
  isLong ? 3_600_000 : 600_000,
);
