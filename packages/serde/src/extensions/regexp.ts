import { types } from "node:util";
import type { ValueReader } from "./value-reader.ts";
import { isWellFormed } from "../text.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

/** Python's flags by JavaScript's. A str pattern always has UNICODE (32). */
const PYTHON_FLAGS: Readonly<Record<string, number>> = { i: 2, m: 8, s: 16 };
const UNICODE = 32;

/** `RegExp`: Python's `re.compile` where its flags say the same, else our own with `lastIndex`. */
export function dumpRegExp(value: RegExp, writer: ValueWriter): void {
  if (!types.isRegExp(value)) return writer.forged(value);
  if (writer.hasExtras(value, "RegExp")) return;
  const { source, flags, lastIndex } = value;
  const python = lastIndex === 0 && isWellFormed(source) ? toPython(flags) : undefined;
  if (python === undefined) {
    writer.begin(Ext.REGEXP);
    writer.array(3);
    writer.text(source);
    writer.text(flags);
    writer.child("lastIndex", lastIndex);
    return writer.end();
  }
  writer.begin(Ext.POS_ARGS);
  writer.typeHead(3, "re", "compile");
  writer.array(2);
  writer.text(source);
  writer.integer(python);
  writer.end();
}

export function raiseRegExp(reader: ValueReader): RegExp {
  reader.array(3);
  const source = reader.text();
  const flags = reader.text();
  const pattern = build(source, flags);
  if (pattern === undefined) throw reader.malformed("an invalid RegExp");
  reader.enter(pattern);
  pattern.lastIndex = reader.child("lastIndex") as number;
  return pattern;
}

/** The RegExp that writes this pattern of Python's again, or undefined. */
export function regExpFromPython(reader: ValueReader): RegExp | undefined {
  if (reader.array() !== 2) return undefined;
  const source = reader.value();
  const flags = reader.value();
  if (typeof source !== "string" || typeof flags !== "number") return undefined;
  const letters = Object.keys(PYTHON_FLAGS).filter(
    (letter) => (flags & (PYTHON_FLAGS[letter] as number)) !== 0,
  );
  if (toPython(letters.join("")) !== flags) return undefined;
  const pattern = build(source, letters.join(""));
  return pattern?.source === source ? reader.enter(pattern) : undefined;
}

/** Undefined when the engine does not take the pattern. */
function build(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
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
