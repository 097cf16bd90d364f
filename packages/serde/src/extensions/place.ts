import { type AsideName, Place, type PlaceSource } from "../place.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

const NAMES = ["untracked", "channel", "write"] as const;

export function dumpPlace({ source, tail }: Place, writer: ValueWriter): void {
  writer.begin(Ext.PLACE);
  writer.array(tail === undefined ? 1 : 3);
  writer.text(source);
  if (tail !== undefined) {
    writer.integer(tail.count);
    writer.array(tail.rest.length);
    // Not `forEach`, which steps over what is missing.
    for (const [i, item] of tail.rest.entries()) writer.child(tail.count + i, item);
  }
  writer.end();
}

export function raisePlace(reader: ValueReader): Place {
  const parts = reader.array();
  const source = readSource(reader);
  if (parts === 1) return reader.enter(new Place(source));
  if (parts !== 3) throw reader.malformed("a place of another size");
  const count = reader.value();
  if (!Number.isSafeInteger(count) || (count as number) < 0)
    throw reader.malformed("a place with a broken count");
  const rest: unknown[] = [];
  const place = reader.enter(new Place(source, { count: count as number, rest }));
  const size = reader.array();
  for (let i = 0; i < size; i++) rest.push(reader.child((count as number) + i));
  return place;
}

function readSource(reader: ValueReader): PlaceSource {
  const name = reader.text();
  const known = NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  if (name.startsWith("aside:")) return name as AsideName;
  throw reader.malformed("an unknown place");
}
