// Every serializer on the same values in one run, as JSON:
//
//   pnpm tsx bench/run.ts > result.json       after a build
//   pnpm tsx bench/report.ts result.json…     writes docs/benchmarks.md from it
//
// Times are of this process alone (user and system), so that other work on the machine counts less;
// the serializers take turns, and the lower quartile of each is reported.

import { deserialize, serialize } from "node:v8";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { Packr } from "msgpackr";
import { parse, stringify } from "superjson";
import { binaryState, messages, plainMessages, richState, smallState } from "./fixtures.ts";

const built = new URL("../dist/index.mjs", import.meta.url).href;
const { MsgpackSerializer } = (await import(built)) as typeof import("../src/index.ts");

interface Peer {
  readonly name: string;
  readonly dump: (value: unknown) => Uint8Array | string | Promise<Uint8Array>;
  readonly load: (data: never) => unknown;
}

const ours = new MsgpackSerializer();
const stock = new JsonPlusSerializer();
const packr = new Packr({ useRecords: false, moreTypes: true, structuredClone: true });

const peers: Peer[] = [
  {
    name: "threadkeep",
    dump: (value) => ours.dumps(value),
    load: (data: Uint8Array) => ours.loads(data),
  },
  {
    name: "stock JsonPlus",
    dump: async (value) => (await stock.dumpsTyped(value))[1],
    load: (data: Uint8Array) => stock.loadsTyped("json", data),
  },
  {
    name: "JSON",
    dump: (value) => JSON.stringify(value),
    load: (data: string) => JSON.parse(data) as unknown,
  },
  {
    name: "v8.serialize",
    dump: (value) => serialize(value),
    load: (data: Buffer) => deserialize(data) as unknown,
  },
  {
    name: "msgpackr",
    dump: (value) => packr.pack(value),
    load: (data: Buffer) => packr.unpack(data) as unknown,
  },
  {
    name: "superjson",
    dump: (value) => stringify(value),
    load: (data: string) => parse(data),
  },
];

const seconds = Number(process.argv[2] ?? 6);
const values: Record<string, unknown> = {
  "2,000 live messages": messages(2_000),
  "the same as plain data": plainMessages(2_000),
  "1 MB binary state": binaryState(),
  "rich state": richState(),
  "1 kB state": smallState(),
};

const results = [];
for (const [name, value] of Object.entries(values))
  results.push({ name, rows: await measure(value) });
console.log(
  JSON.stringify(
    { node: process.version, date: new Date().toISOString().slice(0, 10), results },
    null,
    2,
  ),
);

async function measure(value: unknown): Promise<object[]> {
  const jobs = [];
  for (const peer of peers) {
    try {
      const data = await peer.dump(value);
      await peer.load(data as never);
      jobs.push({ peer, data, dump: [] as number[], load: [] as number[] });
    } catch {
      // Cannot take this value.
    }
  }
  const end = performance.now() + seconds * 1_000;
  for (let round = 0; round < 5 || performance.now() < end; round++) {
    for (const { peer, data, dump, load } of jobs) {
      dump.push(await time(() => peer.dump(value)));
      load.push(await time(() => peer.load(data as never)));
    }
  }
  return jobs.map(({ peer, data, dump, load }) => ({
    name: peer.name,
    bytes: typeof data === "string" ? Buffer.byteLength(data) : data.length,
    dumpMs: quartile(dump),
    loadMs: quartile(load),
  }));
}

/** Milliseconds of processor time for one call, over as many as the clock needs to see them. */
async function time(work: () => unknown): Promise<number> {
  let calls = 0;
  const before = process.cpuUsage();
  const start = performance.now();
  do {
    const result = work();
    if (result instanceof Promise) await result;
    calls++;
  } while (performance.now() - start < 2);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / calls;
}

function quartile(times: number[]): number {
  times.sort((left, right) => left - right);
  return Number((times[Math.floor(times.length / 4)] as number).toPrecision(4));
}
