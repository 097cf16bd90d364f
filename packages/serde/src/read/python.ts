import type { TypeKey } from "../types/definition.ts";
import { keyText } from "../types/type-table.ts";

/**
 * Types of Python's standard library and LangGraph that are data and have no class in JavaScript:
 * they load as inert values without a setting. The list follows `SAFE_MSGPACK_TYPES` of LangGraph
 * for Python.
 */
const STANDARD: ReadonlySet<string> = new Set([
  ...["datetime", "date", "time", "timedelta", "timezone"].map((name) => `datetime.${name}`),
  ...["Address", "Interface", "Network"].flatMap((kind) => [
    `ipaddress.IPv4${kind}`,
    `ipaddress.IPv6${kind}`,
  ]),
  ...["pathlib", "pathlib._local"].flatMap((module) =>
    ["Path", "PosixPath", "WindowsPath"].map((name) => `${module}.${name}`),
  ),
  ...[
    "Send",
    "TimeoutPolicy",
    "Interrupt",
    "Command",
    "StateSnapshot",
    "PregelTask",
    "Overwrite",
  ].map((name) => `langgraph.types.${name}`),
  "builtins.set",
  "builtins.frozenset",
  "collections.deque",
  "decimal.Decimal",
  "uuid.UUID",
  "re.compile",
  "zoneinfo.ZoneInfo",
  "langgraph.store.base.Item",
  "langgraph.store.base.GetOp",
]);

export function isPythonStandardType(key: TypeKey): boolean {
  return STANDARD.has(keyText(key));
}
