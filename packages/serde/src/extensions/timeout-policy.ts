import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

/** LangGraph.js' fields by Python's names, in Python's order. Milliseconds here, seconds there. */
const TIMES = { run_timeout: "runTimeout", idle_timeout: "idleTimeout" } as const;
const FIELDS = new Set<string>([...Object.values(TIMES), "refreshOn"]);

type Policy = Readonly<Record<string, unknown>>;

/** Whether Python's policy says the same: no other fields, and times that come back in milliseconds. */
export function isPolicyOfPython(timeout: unknown): timeout is Policy {
  if (typeof timeout !== "object" || timeout === null) return false;
  if (Object.getPrototypeOf(timeout) !== Object.prototype) return false;
  const policy = timeout as Policy;
  const keys = Object.keys(policy);
  return (
    keys.length === FIELDS.size &&
    keys.every((key) => FIELDS.has(key)) &&
    typeof policy.refreshOn === "string" &&
    Object.values(TIMES).every((key) => isTime(policy[key]))
  );
}

function isTime(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === "number" && Object.is(toMilliseconds(value / 1000), value))
  );
}

export function writeTimeout(timeout: Policy, writer: ValueWriter): void {
  writer.begin(Ext.KW_ARGS);
  writer.typeHead(3, "langgraph.types", "TimeoutPolicy");
  writer.map(3);
  for (const [name, key] of Object.entries(TIMES)) {
    const value = timeout[key];
    writer.text(name);
    if (value === undefined) writer.nil();
    else writer.float((value as number) / 1000);
  }
  writer.text("refresh_on");
  writer.text(timeout.refreshOn as string);
  writer.end();
}

/** The policy that comes next: Python's, or one that is met again or written in another way. */
export function raiseTimeout(reader: ValueReader): unknown {
  const policy = reader.typed(Ext.KW_ARGS, "langgraph.types", "TimeoutPolicy", () => {
    const fields: Record<string, unknown> = reader.enter({
      runTimeout: undefined,
      idleTimeout: undefined,
      refreshOn: "auto",
    });
    reader.fields((name, value) => {
      if (name === "refresh_on") fields.refreshOn = value;
      else if (name === "run_timeout" || name === "idle_timeout")
        fields[TIMES[name]] =
          typeof value === "number" ? toMilliseconds(value) : (value ?? undefined);
    });
    return fields;
  });
  return policy ?? reader.value();
}

/** The milliseconds that give these seconds again. */
function toMilliseconds(seconds: number): number {
  const rounded = Math.round(seconds * 1000);
  return rounded / 1000 === seconds ? rounded : seconds * 1000;
}
