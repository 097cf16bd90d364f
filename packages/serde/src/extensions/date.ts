import { types } from "node:util";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";

const FIRST = Date.UTC(1, 0, 1) - (Date.UTC(1, 0, 1) - new Date(0).setUTCFullYear(1, 0, 1));
const LAST = Date.UTC(10_000, 0, 1) - 1;
/** What Python's `isoformat` gives for a UTC datetime of whole milliseconds. */
const UTC_MILLISECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3})000)?\+00:00$/;

/** `Date`: Python's `datetime` in UTC within the years that Python has. */
export function dumpDate(value: Date, writer: Writer): void {
  if (!types.isDate(value) || !hasNoExtras(value)) return writer.refuse(value);
  const time = Date.prototype.getTime.call(value);
  if (!(time >= FIRST && time <= LAST)) {
    const body = new DataView(new ArrayBuffer(8));
    body.setFloat64(0, time);
    return writer.extension(Ext.DATE, new Uint8Array(body.buffer));
  }
  const iso = new Date(time).toISOString();
  const fraction = iso.endsWith(".000Z") ? "" : `${iso.slice(19, 23)}000`;
  writer.document(Ext.METHOD, () => {
    writer.typeHead(4, "datetime", "datetime");
    writer.sink.text(`${iso.slice(0, 19)}${fraction}+00:00`);
    writer.sink.text("fromisoformat");
  });
}

/** The Date that writes this text again, or undefined: other datetimes of Python stay inert. */
export function dateFromIso(text: string): Date | undefined {
  const match = UTC_MILLISECONDS.exec(text);
  if (match === null) return undefined;
  const date = new Date(`${match[1]}.${match[2] ?? "000"}Z`);
  // "+00:00" with a fraction of zeros, or a day that does not exist, would come back as another text.
  if (
    Number.isNaN(date.getTime()) ||
    match[2] === "000" ||
    date.toISOString().slice(0, 19) !== match[1]
  )
    return undefined;
  return date;
}

export function raiseDate(body: Uint8Array, reader: Reader): Date {
  if (body.length !== 8) throw reader.malformed("a date of the wrong length");
  return reader.enter(new Date(new DataView(body.buffer, body.byteOffset, 8).getFloat64(0)));
}
