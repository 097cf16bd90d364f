import { Place, type PlaceSource } from "../place.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";

const NAMES = ["untracked", "channel", "write"] as const;

export function dumpPlace(value: Place, writer: Writer): void {
  writer.document(Ext.PLACE, () => {
    if (typeof value.source === "number") writer.sink.number(value.source);
    else writer.sink.text(value.source);
  });
}

export function raisePlace(body: unknown, reader: Reader): Place {
  return reader.enter(new Place(typeof body === "number" ? body : readName(body, reader)));
}

function readName(body: unknown, reader: Reader): PlaceSource {
  const name = reader.text(body);
  const known = NAMES.find((each) => each === name);
  if (known === undefined) throw reader.malformed("an unknown place");
  return known;
}
