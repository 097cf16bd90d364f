import { types } from "node:util";
import type { ValueReader } from "../read/value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "../write/value-writer.ts";

const FIRST = new Date(0).setUTCFullYear(1, 0, 1);
const LAST = Date.UTC(10_000, 0, 1) - 1;
/** What Python's `isoformat` gives for a UTC datetime of whole milliseconds. */
const UTC_MILLISECONDS = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3})000)?\+00:00$/;
const METHOD = "fromisoformat";

/** `Date`: Python's `datetime` in UTC within the years that Python has. */
export function dumpDate(value: Date, writer: ValueWriter): void {
  if (!types.isDate(value)) return writer.forged(value);
  if (writer.hasExtras(value, "Date")) return;
  const time = Date.prototype.getTime.call(value);
  if (!isPythonTime(time)) {
    const body = new DataView(new ArrayBuffer(8));
    body.setFloat64(0, time);
    return writer.extension(Ext.DATE, new Uint8Array(body.buffer));
  }
  const iso = new Date(time).toISOString();
  const fraction = iso.endsWith(".000Z") ? "" : `${iso.slice(19, 23)}000`;
  writer.begin(Ext.METHOD);
  writer.typeHead(4, "datetime", "datetime");
  writer.text(`${iso.slice(0, 19)}${fraction}+00:00`);
  writer.text(METHOD);
  writer.end();
}

/** Whether Python's `datetime` can hold the time, to the millisecond. */
export function isPythonTime(time: number): boolean {
  return time >= FIRST && time <= LAST;
}

/** The Date that writes this datetime again, or undefined: other datetimes of Python stay inert. */
export function dateFromPython(reader: ValueReader): Date | undefined {
  const match = UTC_MILLISECONDS.exec(reader.text());
  if (match === null || reader.text() !== METHOD) return undefined;
  const [, seconds, fraction] = match;
  const date = new Date(`${seconds}.${fraction ?? "000"}Z`);
  // A fraction of zeros, or a day that does not exist, would come back as another text.
  if (fraction === "000" || !isPythonTime(date.getTime())) return undefined;
  return date.toISOString().slice(0, 19) === seconds ? reader.enter(date) : undefined;
}

export function raiseDate(body: Uint8Array, reader: ValueReader): Date {
  if (body.length !== 8) throw reader.malformed("a date of the wrong length");
  return reader.enter(new Date(new DataView(body.buffer, body.byteOffset, 8).getFloat64(0)));
}
