// One serializer with one value, in a process of its own; measures a turn whenever it is told to.

import { peers } from "./peers.ts";
import { values } from "./values.ts";

const [peerName = "", valueName = ""] = process.argv.slice(2);
const peer = await peers[peerName]?.();
const value = values[valueName]?.();
if (peer === undefined) throw new Error(`no serializer ${peerName}`);
const data = await peer.dump(value);
await peer.load(data as never);

process.on("message", (ms: number) => void answer(ms));
tell({ bytes: typeof data === "string" ? Buffer.byteLength(data) : data.length });

async function answer(ms: number): Promise<void> {
  if (peer === undefined) return;
  const dumpMs = await time(() => peer.dump(value), ms);
  const loadMs = await time(() => peer.load(data as never), ms);
  tell({ dumpMs, loadMs });
}

function tell(message: object): void {
  process.send?.(message);
}

/** Milliseconds of processor time that one call takes, over calls for so many milliseconds. */
async function time(work: () => unknown, ms: number): Promise<number> {
  let calls = 0;
  const before = process.cpuUsage();
  const start = performance.now();
  do {
    const result = work();
    if (result instanceof Promise) await result;
    calls++;
  } while (performance.now() - start < ms);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / calls;
}
