import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type * as source from "../src/index.ts";

type Serde = typeof source;

const file = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

/** The built package as ECMAScript and as CommonJS module: two copies of every class. */
describe("two copies of this package", async () => {
  const esm = (await import(file("index.mjs"))) as Serde;
  const cjs = createRequire(import.meta.url)(file("index.cjs")) as Serde;
  const decimal = Buffer.from("c7170093a7646563696d616ca7446563696d616ca531322e3530", "hex");
  const interrupt = Buffer.from(
    "c7280293af6c616e6767726170682e7479706573a9496e7465727275707482a576616c756501a26964a169",
    "hex",
  );

  it("are two", () => {
    expect(esm.SerdeError).not.toBe(cjs.SerdeError);
  });

  it.each([
    ["ESM to CommonJS", esm, cjs],
    ["CommonJS to ESM", cjs, esm],
  ])("know each other's errors, values and payloads: %s", (_, one, other) => {
    const from = new one.MsgpackSerializer();
    const to = new other.MsgpackSerializer();
    let error: unknown;
    try {
      from.dumps(() => 1);
    } catch (caught) {
      error = caught;
    }
    expect(error instanceof other.SerdeError).toBe(false);
    expect(other.SerdeError.is(error)).toBe(true);
    expect(other.MsgpackSerializer.is(from)).toBe(true);
    const inert = from.loads(decimal);
    expect(other.isInert(inert)).toBe(true);
    expect(Buffer.from(to.dumps([inert]))).toStrictEqual(Buffer.concat([Buffer.of(0x91), decimal]));
    expect(Buffer.from(to.dumps(from.loads(interrupt)))).toStrictEqual(interrupt);
    class Money {
      amount = 1;
    }
    const money = one.defineType({ name: "Money", class: Money });
    const wide = new other.MsgpackSerializer({ types: [money] });
    expect(wide.loads(wide.dumps(new Money()))).toStrictEqual(new Money());
    expect(to.loads(from.dumps({ a: new Map([[1, 2n]]) }))).toStrictEqual({
      a: new Map([[1, 2n]]),
    });
  });
});
