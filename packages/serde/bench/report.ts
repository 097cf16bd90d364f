// Writes docs/benchmarks.md from results of run.ts, one for each version of Node.js.

import { readFileSync, writeFileSync } from "node:fs";

interface Row {
  readonly name: string;
  readonly bytes: number;
  readonly dumpMs: number;
  readonly loadMs: number;
  /** How many times as fast as the stock serializer. */
  readonly dumpRatio?: number;
  readonly loadRatio?: number;
}

interface Result {
  readonly node: string;
  readonly date: string;
  readonly results: readonly { readonly name: string; readonly rows: readonly Row[] }[];
}

const results = process.argv
  .slice(2)
  .map((file) => JSON.parse(readFileSync(file, "utf8")) as Result);

const sections = results.map(
  ({ node, date, results: values }) =>
    `## Node.js ${node}, ${date}\n\n${values.map(({ name, rows }) => table(name, rows)).join("\n")}`,
);
const text = `# Benchmarks

Written by \`packages/serde/bench/report.ts\`; do not edit. \`node scripts/bench.mjs serde run\` makes the numbers.

Every serializer does the same values, each in a process of its own, in short turns. Times are processor time in milliseconds, the median; in brackets how many times as fast as LangGraph.js' stock serializer, the median of the turns. The others do less: only ours and the stock serializer revive messages, only ours refuses what it can't keep, and JSON, v8 and msgpackr lose classes without a word.

A serializer of ours that writes a long list again compares it with what it wrote, which is what happens to an agent's history at every step: \`again\`. The first row is of lists that it has not met. Loading is the same work in both.

${sections.join("\n")}`;
const file = new URL("../../../docs/benchmarks.md", import.meta.url);
// What follows is written by packages/checkpointer-sqlite/bench/report.ts.
const storage = /<!-- storage -->[^]*/.exec(readFileSync(file, "utf8"))?.[0];
writeFileSync(file, storage === undefined ? text : `${text}\n${storage}`);

function table(title: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, bytes, dumpMs, loadMs, dumpRatio, loadRatio }) =>
      `| ${name} | ${bytes.toLocaleString("en")} | ${cell(dumpMs, dumpRatio)} | ${cell(loadMs, loadRatio)} |`,
  );
  return `**${title}**\n\n| | bytes | dump | load |\n|---|---:|---:|---:|\n${lines.join("\n")}\n`;
}

function cell(ms: number, ratio: number | undefined): string {
  return ratio === undefined || ratio === 1 ? `${ms}` : `${ms} (${ratio}×)`;
}
