import { describe, expect, it } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { LiveObjects } from "../src/policy/index.ts";

/** A live object of its own each time. */
const made = (): object => ({ close: () => {} });

describe("objects that are asked about again and again", () => {
  it("are cleared for as long as none of them is live", () => {
    const live = new LiveObjects();
    const objects = [{}, {}, {}];
    const first = live.omit.clears?.(objects, undefined);
    expect(first).toBeDefined();
    live.add(made());
    const second = live.omit.clears?.(objects, first);
    expect(second).toBeDefined();
    live.add(objects[1]);
    expect(live.omit.clears?.(objects, second)).toBeUndefined();
    expect(live.omit.clears?.(objects, first)).toBeUndefined();
    expect(live.omit.clears?.(objects, undefined)).toBeUndefined();
  });

  it.each([1, 15, 16, 17, 40])("are not, when %i others became live since", (count) => {
    const live = new LiveObjects();
    const objects = [{}, {}];
    const mark = live.omit.clears?.(objects, undefined);
    live.add(objects[0]);
    const others = Array.from({ length: count }, made);
    for (const other of others) live.add(other);
    expect(live.omit.clears?.(objects, mark)).toBeUndefined();
    expect(live.omit.clears?.([{}], mark)).toBeDefined();
  });

  it("are looked at again when the mark is another graph's", () => {
    const mine = new LiveObjects();
    const theirs = new LiveObjects();
    const objects = [{}];
    mine.add(objects[0]);
    const mark = theirs.omit.clears?.(objects, undefined);
    expect(mark).toBeDefined();
    expect(mine.omit.clears?.(objects, mark)).toBeUndefined();
  });

  it("are not, when a graph around this one learns of them", () => {
    const outer = new LiveObjects();
    const inner = new LiveObjects();
    const objects = [{}];
    const before = inner.omit.clears?.(objects, undefined);
    inner.joinInto(outer);
    const after = inner.omit.clears?.(objects, before);
    expect(after).toBeDefined();
    outer.add(objects[0]);
    expect(inner.omit.clears?.(objects, before)).toBeUndefined();
    expect(inner.omit.clears?.(objects, after)).toBeUndefined();
  });
});

describe("a field with a getter", () => {
  it("is read once, and left out when what it gives is live", () => {
    const live = new LiveObjects();
    const session = made();
    live.add(session);
    let calls = 0;
    const value = {
      get session() {
        calls++;
        return session;
      },
      a: 1,
    };
    const serializer = new MsgpackSerializer();
    const omitted: string[] = [];
    const { omit } = live;
    const { bytes } = serializer.write(value, { omit, onOmit: (path) => omitted.push(path) });
    expect(serializer.loads(bytes)).toEqual({ a: 1 });
    expect(calls).toBe(1);
    expect(omitted).toEqual(["session"]);
  });
});
