import { define } from "../define.ts";
import { buildSend } from "../langgraph.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";
import { isPolicyOfPython, raiseTimeout, writeTimeout } from "./timeout-policy.ts";

const KNOWN = new Set(["lg_name", "node", "args", "timeout"]);

const UNTRACKED =
  "a value of an untracked field, which is not stored, as the whole args; " +
  "send a record with the value under the field's name: new Send(node, { field: value })";

/** `Send`: node, args and timeout in Python's layout; with any other field, our own. */
export function dumpSend(value: object, writer: ValueWriter): void {
  const { lg_name: _, ...fields } = value as Record<string, unknown>;
  const { node, args, timeout } = fields;
  const own = Object.keys(fields);
  const at = argsStep(node);
  const python =
    typeof node === "string" &&
    own.every((key) => KNOWN.has(key)) &&
    own.length === 3 &&
    (timeout === undefined || isPolicyOfPython(timeout));
  // Without its args it is no Send: LangGraph would drop it.
  if (writer.leavesOut(at, args)) return writer.problemAt(at, "unsupported_type", UNTRACKED);
  if (!python) {
    writer.begin(Ext.CONTROL);
    writer.array(2);
    writer.text("Send");
    writer.map(own.length);
    for (const key of own) {
      writer.text(key);
      writer.child(key === "args" ? at : key, fields[key]);
    }
    return writer.end();
  }
  writer.begin(Ext.POS_ARGS);
  writer.typeHead(3, "langgraph.types", "Send");
  writer.array(timeout === undefined ? 2 : 3);
  writer.text(node);
  writer.child(at, args);
  if (timeout !== undefined) {
    if (writer.enter(timeout)) writeTimeout(timeout, writer);
    else writer.value(timeout);
  }
  writer.end();
}

/** A Send from Python's positional arguments. */
export function raiseSend(reader: ValueReader): object {
  const size = reader.array();
  if (size < 2 || size > 3) throw reader.malformed("a Send with other arguments than it has");
  const node = reader.text();
  const send = reader.enter(buildSend(node) as unknown as Record<string, unknown>);
  send.args = reader.child(argsStep(node));
  if (size === 3 && !reader.isNil()) send.timeout = raiseTimeout(reader);
  return send;
}

/** A Send from our own layout. */
export function raiseOwnSend(reader: ValueReader): object {
  const send = reader.enter(buildSend("") as unknown as Record<string, unknown>);
  reader.fields((key, value) => define(send, key, value));
  return send;
}

function argsStep(node: unknown): { readonly text: string } {
  return { text: `Send(${typeof node === "string" ? JSON.stringify(node) : ""}).args` };
}
