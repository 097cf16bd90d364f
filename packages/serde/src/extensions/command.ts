import { define } from "../define.ts";
import { buildCommand, buildOverwrite, overwriteValue } from "../langgraph.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

const FIELDS = ["graph", "update", "resume", "goto"] as const;
const IGNORED = new Set<string>(["lg_name", "lc_direct_tool_output"]);

/**
 * `Command`: the fields that are set. Python writes nil for what is not set, so one that is null,
 * or a field that Python does not have, takes our own form.
 */
export function dumpCommand(value: object, writer: ValueWriter): void {
  const command = value as Record<string, unknown>;
  const own = Object.keys(command).filter((key) => !IGNORED.has(key));
  const values = own.map((key) => command[key]);
  const python = own.every((key, i) => isPythonField(key) && values[i] !== null);
  const set = python ? FIELDS.filter((key) => values[own.indexOf(key)] !== undefined) : own;
  if (python) {
    writer.begin(Ext.KW_ARGS);
    writer.typeHead(3, "langgraph.types", "Command");
  } else {
    writer.begin(Ext.CONTROL);
    writer.array(2);
    writer.text("Command");
  }
  writer.map(set.length);
  for (const key of set) {
    writer.text(key);
    writer.child(key, values[own.indexOf(key)]);
  }
  writer.end();
}

function isPythonField(key: string): boolean {
  return (FIELDS as readonly string[]).includes(key);
}

export function raiseCommand(reader: ValueReader): object {
  return fill(reader, true);
}

export function raiseOwnCommand(reader: ValueReader): object {
  return fill(reader, false);
}

function fill(reader: ValueReader, nilIsUnset: boolean): object {
  const { command, args } = buildCommand();
  reader.enter(command);
  reader.fields((key, value) => {
    if (nilIsUnset && value === null) return;
    define(command, key, value);
    define(args, key, value);
  });
  return command;
}

/** `Overwrite`, which bypasses a reducer. */
export function dumpOverwrite(value: object, writer: ValueWriter): void {
  writer.begin(Ext.KW_ARGS);
  writer.typeHead(3, "langgraph.types", "Overwrite");
  writer.map(2);
  writer.text("value");
  writer.child("value", overwriteValue(value));
  writer.text("type");
  writer.text("__overwrite__");
  writer.end();
}

export function raiseOverwrite(reader: ValueReader): object {
  const { overwrite, set } = buildOverwrite();
  reader.enter(overwrite);
  reader.fields((key, value) => {
    if (key === "value") set(value);
  });
  return overwrite;
}
