import { HumanMessage } from "@langchain/core/messages";
import { Send } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { SqliteSaver } from "../../src/index.ts";
import { checkpointOf, METADATA, thread } from "../support/thread.ts";
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
