import { buildSend } from "../langgraph.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";
import { define } from "./record.ts";

const KNOWN = new Set(["lg_name", "node", "args", "timeout"]);
const POLICY = ["runTimeout", "idleTimeout", "refreshOn"] as const;

/** `Send`: node, args and timeout in Python's layout; with any other field, our own. */
export function dumpSend(value: object, writer: Writer): void {
  const send = value as Record<string, unknown>;
  const node = send.node;
  const timeout = toPythonTimeout(send.timeout);
  const extra = Object.keys(send).filter((key) => !KNOWN.has(key));
  const args = { text: `Send(${JSON.stringify(node)}).args` };
  if (extra.length > 0 || timeout === undefined || typeof node !== "string") {
    return writer.document(Ext.CONTROL, () => {
      writer.sink.array(2);
      writer.sink.text("Send");
      writer.fields(
        send,
        Object.keys(send).filter((key) => key !== "lg_name"),
      );
    });
  }
  writer.document(Ext.POS_ARGS, () => {
    writer.typeHead(3, "langgraph.types", "Send");
    writer.sink.array(timeout === null ? 2 : 3);
    writer.text(node);
    writer.child(args, send.args);
    if (timeout === null) return;
    writer.document(Ext.KW_ARGS, () => {
      writer.typeHead(3, "langgraph.types", "TimeoutPolicy");
      writer.sink.map(3);
      for (const [name, seconds] of [
        ["run_timeout", timeout.run],
        ["idle_timeout", timeout.idle],
      ] as const) {
        writer.sink.text(name);
        if (seconds === undefined) writer.sink.nil();
        else writer.sink.float(seconds);
      }
      writer.sink.text("refresh_on");
      writer.sink.text(timeout.refreshOn);
    });
  });
}

/** A Send from Python's positional arguments. */
export function raiseSend(args: unknown, reader: Reader): object {
  const [node, payload, timeout, ...rest] = reader.list(args);
  if (rest.length > 0) throw reader.malformed("a Send with too many arguments");
  const send = reader.enter(buildSend(reader.text(node)) as unknown as Record<string, unknown>);
  send.args = reader.child({ text: `Send(${JSON.stringify(send.node)}).args` }, payload);
  if (timeout !== undefined && timeout !== null) send.timeout = fromPythonTimeout(timeout, reader);
  return send;
}

/** A Send from our own layout. */
export function raiseOwnSend(fields: unknown, reader: Reader): object {
  const send = reader.enter(buildSend("") as unknown as Record<string, unknown>);
  for (const [key, raw] of reader.fields(fields)) define(send, key, reader.child(key, raw));
  return send;
}

interface PythonTimeout {
  readonly run: number | undefined;
  readonly idle: number | undefined;
  readonly refreshOn: string;
}

/** Null without a timeout; undefined when Python's policy can't say it. Milliseconds here, seconds there. */
function toPythonTimeout(timeout: unknown): PythonTimeout | null | undefined {
  if (timeout === undefined) return null;
  if (typeof timeout !== "object" || timeout === null) return undefined;
  const policy = timeout as Record<string, unknown>;
  const known = Object.keys(policy).every((key) => (POLICY as readonly string[]).includes(key));
  const { runTimeout, idleTimeout, refreshOn } = policy;
  if (!known || typeof refreshOn !== "string") return undefined;
  for (const value of [runTimeout, idleTimeout]) {
    if (
      value !== undefined &&
      !(typeof value === "number" && toMilliseconds(value / 1000) === value)
    )
      return undefined;
  }
  return { run: toSeconds(runTimeout), idle: toSeconds(idleTimeout), refreshOn };
}

function toSeconds(milliseconds: unknown): number | undefined {
  return typeof milliseconds === "number" ? milliseconds / 1000 : undefined;
}

/** The milliseconds that give these seconds again. */
function toMilliseconds(seconds: number): number {
  const rounded = Math.round(seconds * 1000);
  return rounded / 1000 === seconds ? rounded : seconds * 1000;
}

function fromPythonTimeout(raw: unknown, reader: Reader): object {
  const fields = reader.typedFields(raw, "langgraph.types", "TimeoutPolicy");
  const milliseconds = (name: string): number | undefined => {
    const value = fields.get(name);
    return typeof value === "number" ? toMilliseconds(value) : undefined;
  };
  return {
    runTimeout: milliseconds("run_timeout"),
    idleTimeout: milliseconds("idle_timeout"),
    refreshOn: fields.has("refresh_on") ? reader.text(fields.get("refresh_on")) : "auto",
  };
}
