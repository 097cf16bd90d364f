import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";

const href = Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get as (this: URL) => string;

export function dumpUrl(value: URL, writer: Writer): void {
  if (!hasNoExtras(value)) return writer.refuse(value);
  let text: string;
  try {
    text = href.call(value);
  } catch {
    return writer.refuse(value);
  }
  writer.extension(Ext.URL, new TextEncoder().encode(text));
}

export function raiseUrl(body: Uint8Array, reader: Reader): URL {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  if (!URL.canParse(text)) throw reader.malformed("an invalid URL");
  return reader.enter(new URL(text));
}
