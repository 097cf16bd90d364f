import { Ext, Special } from "./wire.ts";

/** Whether two payloads are the same, but for places that were left out and read back as undefined. */
export function isSamePayload(written: Uint8Array, again: Uint8Array): boolean {
  if (written.length !== again.length) return false;
  for (let i = 0; i < written.length; i++)
    if (written[i] !== again[i] && !isLeftOut(written, again, i)) return false;
  return true;
}

function isLeftOut(written: Uint8Array, again: Uint8Array, at: number): boolean {
  return (
    written[at] === Special.UNTRACKED &&
    again[at] === Special.UNDEFINED &&
    written[at - 1] === Ext.SPECIAL &&
    written[at - 2] === 0xd4
  );
}
