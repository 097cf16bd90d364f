// One serializer that dumps or loads one value, in a process of its own; measures a turn whenever it
// is told to.

import { peers } from "./peers.ts";
import { values } from "./values.ts";

const [peerName = "", valueName = "", operation = ""] = process.argv.slice(2);
const peer = await peers[peerName]?.();
if (peer === undefined) throw new Error(`no serializer ${peerName}`);
let value = values[valueName]?.();
const data = await peer.dump(value);
await peer.load(data as never);
const work =
  operation === "dump" ? () => peer.dump(value) : () => peer.load(data as never) as unknown;
// Whoever loads does not have the value yet.
if (operation === "load") value = undefined;

process.on("message", (ms: number) => void time(ms).then(tell));
tell(typeof data === "string" ? Buffer.byteLength(data) : data.length);

function tell(number: number): void {
  process.send?.(number);
}

/** Milliseconds of processor time that one call takes, over calls for so many milliseconds. */
async function time(ms: number): Promise<number> {
  // What is made before a dump is only in the way of a load.
  if (operation === "dump") peer?.before?.();
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
