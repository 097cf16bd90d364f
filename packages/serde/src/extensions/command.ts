import { buildCommand, buildOverwrite, overwriteValue } from "../langgraph.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { define } from "./record.ts";

const FIELDS = ["graph", "update", "resume", "goto"] as const;
const IGNORED = new Set<string>(["lg_name", "lc_direct_tool_output"]);

/** `Command`: the fields that are set, null and false included. */
export function dumpCommand(value: object, writer: Writer): void {
  const command = value as Record<string, unknown>;
  const own = Object.keys(command).filter((key) => !IGNORED.has(key));
  const set = FIELDS.filter((key) => command[key] !== undefined);
  if (own.some((key) => !(FIELDS as readonly string[]).includes(key))) {
    return writer.document(Ext.CONTROL, () => {
      writer.sink.array(2);
      writer.sink.text("Command");
      writer.fields(command, own);
    });
  }
  writer.document(Ext.KW_ARGS, () => {
    writer.typeHead(3, "langgraph.types", "Command");
    writer.sink.map(set.length);
    for (const key of set) {
      writer.sink.text(key);
      writer.child(key, command[key]);
    }
  });
}

export function raiseCommand(kwargs: unknown, reader: Reader): object {
  const { command, args } = buildCommand();
  reader.enter(command);
  for (const [key, raw] of reader.fields(kwargs)) {
    const value = reader.child(key, raw);
    define(command, key, value);
    define(args, key, value);
  }
  return command;
}

/** `Overwrite`, which bypasses a reducer. */
export function dumpOverwrite(value: object, writer: Writer): void {
  writer.document(Ext.KW_ARGS, () => {
    writer.typeHead(3, "langgraph.types", "Overwrite");
    writer.sink.map(2);
    writer.sink.text("value");
    writer.child("value", overwriteValue(value));
    writer.sink.text("type");
    writer.sink.text("__overwrite__");
  });
}

export function raiseOverwrite(kwargs: unknown, reader: Reader): object {
  const { overwrite, set } = buildOverwrite();
  reader.enter(overwrite);
  const raw = new Map(reader.fields(kwargs));
  set(reader.child("value", raw.get("value")));
  return overwrite;
}
