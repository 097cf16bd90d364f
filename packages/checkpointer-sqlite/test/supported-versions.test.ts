import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { withAllowlist } from "../src/index.ts";

const here = createRequire(import.meta.url);

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): Manifest =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as Manifest;
const minor = (version: string | undefined): string => /\d+\.\d+/.exec(version ?? "")?.[0] ?? "";
const installed = (name: string): string =>
  minor((here(`${name}/package.json`) as Manifest).version);

it("are in messages as the packages declare them, up to those that the tests run on", () => {
  const { peerDependencies: own } = read("../package.json");
  const { peerDependencies: middleware } = read("../../middleware/package.json");
  const [graph, agent] = ["@langchain/langgraph", "langchain"] as const;
  const known = [
    `${graph} ${minor(own[graph])} to ${installed(graph)}`,
    `${agent} ${minor(middleware[agent])} to ${installed(agent)}`,
  ].join(", ");
  const unknown = { lg_is_pregel: true, checkpointer: undefined, channels: {}, nodes: {} };
  expect(() => withAllowlist(unknown)).toThrow(`known to work: ${known}`);
});
