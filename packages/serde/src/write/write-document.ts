import { SerdeError } from "../errors.ts";
import { limitExceeded } from "../limits.ts";
import { Tag } from "../wire.ts";
import { openReferences } from "./open-references.ts";
import { SinkFull } from "./sink.ts";
import { Writer } from "./writer.ts";
import type { WriterParts } from "./writer-parts.ts";

const LARGE = 4096;

/** A payload with its type tag. */
export interface Written {
  readonly tag: typeof Tag.MSGPACK | typeof Tag.MSGPACK_JS;
  readonly bytes: Uint8Array;
  /** Whether documents stand in it in the place of objects: it is no payload of its own then. */
  readonly isCut: boolean;
}

/** Write one value as a whole document. */
export function writeDocument(value: unknown, parts: WriterParts): Written {
  const { sink, limits, losses } = parts;
  const writer = new Writer(parts);
  sink.start(limits.maxBytes);
  try {
    // One byte below 0x80 would pass for JSON text: a top-level small integer takes two.
    if (isOneByte(value)) sink.uint8(value);
    else writer.value(value);
  } catch (error) {
    throw losses.with(explain(error, writer));
  }
  losses.throwIfAny();
  parts.blocks?.keep();
  const isGraph = writer.references > 0;
  const plain = sink.view();
  const bytes = isGraph
    ? openReferences(plain, { closed: writer.closedAt, maps: writer.mapsAt })
    : copyOf(plain);
  if (bytes.length > limits.maxBytes)
    throw limitExceeded("maxBytes", `The payload has ${bytes.length} bytes`, limits);
  return { tag: writer.js ? Tag.MSGPACK_JS : Tag.MSGPACK, bytes, isCut: writer.isCut };
}

/** Memory that was not cleared first, which large documents gain by: all of it is written. */
function copyOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LARGE) return bytes.slice();
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(bytes.length).buffer);
  copy.set(bytes);
  return copy;
}

function isOneByte(value: unknown): value is number {
  return (
    typeof value === "number" &&
    value >= 0 &&
    value < 0x80 &&
    Number.isInteger(value) &&
    !Object.is(value, -0)
  );
}

function explain(error: unknown, writer: Writer): SerdeError {
  if (SerdeError.is(error)) return error;
  const path = writer.path();
  if (error instanceof SinkFull)
    return limitExceeded("maxBytes", "The payload has more bytes", writer.limits, path);
  if (isStackOverflow(error)) {
    const message =
      "The value is nested deeper than the stack allows here; lower limits.maxDepth, or call from less deep";
    return new SerdeError({ code: "limit_exceeded", path, message }, { cause: error });
  }
  const what = error instanceof Error ? error.name : "something that is no Error";
  return new SerdeError(
    { code: "dump_failed", path, message: `reading the value threw ${what}` },
    { cause: error },
  );
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
