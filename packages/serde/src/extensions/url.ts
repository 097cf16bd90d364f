import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

const href = Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get as (this: URL) => string;

export function dumpUrl(value: URL, writer: ValueWriter): void {
  let text: string;
  try {
    text = href.call(value);
  } catch {
    return writer.forged(value);
  }
  if (!writer.hasExtras(value, "URL")) writer.extension(Ext.URL, new TextEncoder().encode(text));
}

export function raiseUrl(body: Uint8Array, reader: ValueReader): URL {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  if (!URL.canParse(text)) throw reader.malformed("an invalid URL");
  return reader.enter(new URL(text));
}
