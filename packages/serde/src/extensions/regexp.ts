import { types } from "node:util";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { hasNoExtras } from "./extras.ts";

/** Python's flags by JavaScript's. A str pattern always has UNICODE (32). */
const PYTHON_FLAGS: Readonly<Record<string, number>> = { i: 2, m: 8, s: 16 };
const UNICODE = 32;

/** `RegExp`: Python's `re.compile` where its flags say the same, else our own with `lastIndex`. */
export function dumpRegExp(value: RegExp, writer: Writer): void {
  if (!types.isRegExp(value) || !hasNoExtras(value)) return writer.refuse(value);
  const { source, flags, lastIndex } = value;
  const python = lastIndex === 0 ? toPython(flags) : undefined;
  if (python === undefined) {
    return writer.document(Ext.REGEXP, () => {
      writer.sink.array(3);
      writer.text(source);
      writer.sink.text(flags);
      writer.child("lastIndex", lastIndex);
    });
  }
  writer.document(Ext.POS_ARGS, () => {
    writer.typeHead(3, "re", "compile");
    writer.sink.array(2);
    writer.text(source);
    writer.sink.number(python);
  });
}

export function raiseRegExp(body: unknown, reader: Reader): RegExp {
  const [source, flags, lastIndex] = reader.list(body, 3);
  try {
    const pattern = reader.enter(new RegExp(reader.text(source), reader.text(flags)));
    pattern.lastIndex = reader.child("lastIndex", lastIndex) as number;
    return pattern;
  } catch (error) {
    if (error instanceof SyntaxError) throw reader.malformed("an invalid RegExp");
    throw error;
  }
}

/** The RegExp that writes this pattern of Python's again, or undefined. */
export function regExpFromPython(source: string, flags: unknown): RegExp | undefined {
  const known = Object.entries(PYTHON_FLAGS).filter(
    ([, bit]) => typeof flags === "number" && (flags & bit) !== 0,
  );
  const letters = known.map(([letter]) => letter).join("");
  if (toPython(letters) !== flags) return undefined;
  try {
    const pattern = new RegExp(source, letters);
    return pattern.source === source ? pattern : undefined;
  } catch {
    return undefined;
  }
}

function toPython(flags: string): number | undefined {
  let bits = UNICODE;
  for (const flag of flags) {
    const bit = PYTHON_FLAGS[flag];
    if (bit === undefined) return undefined;
    bits |= bit;
  }
  return bits;
}
