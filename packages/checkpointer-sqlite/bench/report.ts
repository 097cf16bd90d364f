// Writes the storage section of docs/benchmarks.md from results of run.ts, one for each version of Node.js.

import { readFileSync, writeFileSync } from "node:fs";

interface Row {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

interface Result {
  readonly node: string;
  readonly date: string;
  readonly results: readonly { readonly title: string; readonly rows: readonly Row[] }[];
}

/** From here on the file is ours; packages/serde/bench/report.ts leaves it alone. */
const MARK = "<!-- storage -->";
const FILE = new URL("../../../docs/benchmarks.md", import.meta.url);

const results = process.argv
  .slice(2)
  .map((file) => JSON.parse(readFileSync(file, "utf8")) as Result);
const sections = results.map(
  ({ node, date, results: scenarios }) =>
    `### Node.js ${node}, ${date}\n\n${scenarios.map(({ title, rows }) => table(title, rows)).join("\n")}`,
);
const [before = ""] = readFileSync(FILE, "utf8").split(MARK);
writeFileSync(
  FILE,
  `${before.trimEnd()}

${MARK}

# Storage

Written by \`packages/checkpointer-sqlite/bench/report.ts\`; do not edit. \`node scripts/bench.mjs checkpointer-sqlite run\` makes the numbers.

The same graph runs with each saver in a process of its own, the best of two runs is reported. Times are processor time in milliseconds, of turns the median, garbage collection and LangGraph's own work included; *no storage* is a saver that hands back the live objects, so what LangGraph takes by itself. In brackets: part of the stock saver's.

${sections.join("\n")}`,
);

function table(title: string, rows: readonly Row[]): string {
  const stock = rows.find(({ name }) => name.startsWith("stock"))?.figures ?? {};
  const names = Object.keys(rows[0]?.figures ?? {});
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const lines = names.map((name) =>
    line([name, ...rows.map(({ figures }) => cell(figures[name], stock[name]))]),
  );
  const head = line(["", ...rows.map(({ name }) => name)]);
  return `**${title}**\n\n${head}|---|${rows.map(() => "---:|").join("")}\n${lines.join("")}`;
}

function cell(value: number | undefined, stock: number | undefined): string {
  if (value === undefined) return "";
  const text = value.toLocaleString("en");
  if (stock === undefined || stock === 0 || stock === value) return text;
  return `${text} (${((100 * value) / stock).toPrecision(2)} %)`;
}
