import { Place } from "../place.ts";
import type { ValueReader } from "../read/value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "../write/value-writer.ts";

const NAMES = ["untracked", "channel", "write"] as const;

export function dumpPlace({ source }: Place, writer: ValueWriter): void {
  writer.begin(Ext.PLACE);
  if (typeof source === "number") writer.integer(source);
  else writer.text(source);
  writer.end();
}

export function raisePlace(reader: ValueReader): Place {
  const source = reader.value();
  const known = typeof source === "number" ? source : NAMES.find((name) => name === source);
  if (known === undefined) throw reader.malformed("an unknown place");
  return reader.enter(new Place(known));
}
