import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { check, damaged, generator } from "../fuzz/damage.ts";
import { MsgpackSerializer } from "../src/index.ts";
import { cases } from "./cases/index.ts";

const serializer = new MsgpackSerializer({ onBlocked: "inert" });

it("answers thousands of damaged payloads", () => {
  const seeds = cases
    .filter(({ large }) => large !== true)
    .map(({ value }) => serializer.dumps(value()));
  const random = generator(1);
  for (let i = 0; i < 5_000; i++) {
    const bytes = damaged(seeds, random);
    const failure = check(serializer, bytes);
    if (failure !== undefined)
      throw new Error(`${failure}: ${Buffer.from(bytes).toString("hex").slice(0, 2_000)}`);
  }
});

it("answers what broke it before", () => {
  const corpus = new URL("../fuzz/corpus/", import.meta.url);
  const files = existsSync(corpus)
    ? readdirSync(corpus).filter((file) => file.endsWith(".bin"))
    : [];
  for (const file of files)
    expect([file, check(serializer, readFileSync(new URL(file, corpus)))]).toStrictEqual([
      file,
      undefined,
    ]);
});
