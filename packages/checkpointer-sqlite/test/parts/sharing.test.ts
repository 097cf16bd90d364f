import { HumanMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { SqliteSaver } from "../../src/index.ts";
import { checkpointOf, METADATA, thread } from "../support/thread.ts";
import { MemoryParts } from "./memory-parts.ts";
import { difference } from "./same-graph.ts";

const large = (): { t: string } => ({ t: "z".repeat(600) });
const message = (x: unknown): HumanMessage =>
  new HumanMessage({ content: "a", id: "m", additional_kwargs: { x } });
const send = (args: unknown): Send => Object.assign(new Send("worker", {}), { args });

/** Stores and loads values of one channel of one thread; the loaded one must have the same objects. */
function channel(): (value: unknown) => Promise<any> {
  const saver = SqliteSaver.fromConnString(":memory:");
  let config = thread("1");
  let step = 0;
  return async (v) => {
    step++;
    const checkpoint = checkpointOf({ v }, { channel_versions: { v: step } });
    config = await saver.put(config, checkpoint, METADATA, { v: step });
    const loaded = (await saver.getTuple(config))?.checkpoint.channel_values.v;
    expect(difference(v, loaded)).toBeUndefined();
    return loaded;
  };
}

describe("objects that stand in several elements", () => {
  it("stay one when a value is stored again that did not change", async () => {
    const put = channel();
    const shared = large();
    const first = { x: shared };
    await put([first, message(large())]);
    const value = [first, message(shared)];
    await put(value);
    await put(value);
    await put([...value]);
  });

  it("stay one with an element from before they were in several", async () => {
    const put = channel();
    const shared = large();
    const first = { x: shared };
    const others = [message(shared), message(shared)];
    await put([first, 1]);
    await put(others);
    await put([first, ...others]);
  });

  it("stay one where they stand in another object that does", async () => {
    const put = channel();
    const deep = large();
    const shared = { deep, text: "y".repeat(200) };
    const elements = [message(shared), { y: shared, text: "z".repeat(200) }];
    await put(elements);
    await put([...elements, { deep }]);
    const held = { deep: large() };
    const apart = { deep: held.deep, text: "y".repeat(200) };
    const users = [message(apart), message(apart)];
    await put([held]);
    await put(users);
    await put([held, ...users]);
  });

  it("stay one between values that are stored by one call", async () => {
    const saver = SqliteSaver.fromConnString(":memory:");
    const shared = large();
    const first = { x: shared };
    const others = [message(shared), message(shared)];
    const put = async (id: string, values: Record<string, unknown>): Promise<void> => {
      const checkpoint = checkpointOf(values, { id });
      const versions = Object.fromEntries(Object.keys(values).map((name) => [name, Number(id)]));
      checkpoint.channel_versions = versions;
      const config = await saver.put(thread("1"), checkpoint, METADATA, versions);
      const loaded = (await saver.getTuple(config))?.checkpoint.channel_values;
      for (const name of Object.keys(values))
        expect(difference(values[name], loaded?.[name])).toBeUndefined();
    };
    await put("1", { a: [first], b: others });
    await put("2", { a: [first, ...others] });
  });

  it("stay one in the arguments of a Send and beside it", async () => {
    const job = { a: 1 };
    const big = large();
    await channel()([job, send(job)]);
    await channel()([send(job), job]);
    await channel()([send({ big }), send({ big }), { big }]);
    const same = send(job);
    await channel()([same, same]);
    const put = channel();
    const list = [big, { n: 1 }];
    await put(list);
    await put([...list, send(big), send({ big })]);
    await put([...list, send(list), "x"]);
  });

  it("stay one in Sends that hold themselves", async () => {
    const args: Record<string, unknown> = { text: "z".repeat(5000), other: { n: 1 } };
    const round = send(args);
    args.list = [round, large()];
    await channel()([round, args, { x: args }]);
    await channel()([round, round]);
  });

  it("are others than the loaded ones that were made from them", async () => {
    for (const make of [large, () => ({ a: 1 })]) {
      const put = channel();
      const live = make();
      let loaded = await put([live, { x: live }]);
      loaded = await put([loaded[0], { x: live }]);
      loaded = await put([live, loaded[1]]);
      loaded = await put([live, message(live), ...loaded]);
      await put([...loaded, live, message(live)]);
    }
  });
});

describe("an empty container that two messages have", () => {
  const messages = (): HumanMessage[] => {
    const all = Array.from(
      { length: 29 },
      (_, i) => new HumanMessage({ content: "a".repeat(200), id: `${i}` }),
    );
    (all[24] as HumanMessage).additional_kwargs = (all[3] as HumanMessage).additional_kwargs;
    return all;
  };

  it("stays one when a Send has one of the messages in between", async () => {
    const put = channel();
    const all = messages();
    await put(all);
    await put(send({ messages: all.slice(21) }));
    await put(all);
    await put([...all]);
  });

  it("does not make the history one value that is stored whole", async () => {
    const parts = new MemoryParts();
    const all = messages();
    parts.write(all);
    const root = parts.write([...all, new HumanMessage({ content: "b", id: "b" })]);
    expect(parts.added.bytes + root.length).toBeLessThan(2_000);
    expect(
      difference(parts.read(root), [...all, new HumanMessage({ content: "b", id: "b" })]),
    ).toBeUndefined();
  });
});

describe("the elements of a piece, known together since they were read", () => {
  const list = (): HumanMessage[] =>
    Array.from(
      { length: 60 },
      (_, i) => new HumanMessage({ content: "a".repeat(200), id: `${i}` }),
    );
  const changes: Record<string, (read: HumanMessage[]) => unknown> = {
    "a second time": (read) => [...read, ...read],
    "a second time in another list": (read) => ({ read, again: read.slice() }),
    "in another order": (read) => [...read, ...read.slice().reverse()],
    "some of them later": (read) => [...read, read[3], read[40]],
    "some of them before": (read) => [read[40], ...read],
    "without the last ones": (read) => read.slice(0, -5),
    "without the first ones": (read) => read.slice(5),
    "with others between them": (read) =>
      read.flatMap((each, i) => (i % 13 === 5 ? [i, each] : each)),
    "with one that was changed": (read) => {
      (read[20] as HumanMessage).content = "b";
      return read;
    },
    "with an object of one in another": (read) => {
      (read[50] as HumanMessage).additional_kwargs = (read[2] as HumanMessage).additional_kwargs;
      return read;
    },
    "with an object of one beside them": (read) => [...read, message(read[2]?.additional_kwargs)],
    "beside a Send that holds them": (read) => [...read, send({ messages: read })],
    "behind a Send that holds them": (read) => [send({ messages: read }), ...read],
    "beside a Send that holds one of them": (read) => [...read, send({ one: read[30] })],
    "in a Send alone": (read) => send({ messages: read.slice(7), first: read[0] }),
  };
  it.each(Object.entries(changes))("are stored %s", async (_, change) => {
    const put = channel();
    await put(list());
    const read = (await put(list())) as HumanMessage[];
    const again = await put(change(read));
    await put(again);
    await put([again]);
  });

  it("are stored a second time from the first on, however many of them", async () => {
    for (let count = 1; count <= 60; count++) {
      const put = channel();
      await put(list());
      const read = ((await put(list())) as HumanMessage[]).slice(0, count);
      await put([...read, ...read]);
    }
  });
});
