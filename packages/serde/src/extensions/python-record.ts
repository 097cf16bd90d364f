import { define } from "../define.ts";
import type { ValueReader } from "./value-reader.ts";
import type { TypeKey } from "../types/definition.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

// Through the global registry, so that the ESM and CommonJS builds know each other's.
const BRAND = Symbol.for("threadkeep.serde.python-record");

/**
 * Objects of LangGraph for Python that LangGraph.js has as plain records: they come with their
 * fields, so that the code which looks for those finds them, and are stored again as what they are.
 */
abstract class PythonRecord {
  declare readonly [BRAND]: string;
}

/** A pending question to a person. LangGraph.js looks at `id` and `value`. */
class Interrupt extends PythonRecord {
  static {
    brand(this.prototype, "langgraph.types.Interrupt");
  }
}

/** An entry of a store. */
class Item extends PythonRecord {
  static {
    brand(this.prototype, "langgraph.store.base.Item");
  }
}

function brand(prototype: object, name: string): void {
  Object.defineProperty(prototype, BRAND, { value: name });
}

interface PythonRecordType {
  readonly key: TypeKey;
  /** The layout in which Python writes it. */
  readonly code: number;
  readonly prototype: object;
  /** Names of fields here that differ from those there. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** By stored name. */
export const PYTHON_RECORDS: ReadonlyMap<string, PythonRecordType> = new Map([
  [
    "langgraph.types.Interrupt",
    {
      key: ["langgraph.types", "Interrupt"],
      code: Ext.KW_ARGS,
      prototype: Interrupt.prototype,
      renamed: {},
    },
  ],
  [
    "langgraph.store.base.Item",
    {
      key: ["langgraph.store.base", "Item"],
      code: Ext.PYDANTIC_V1,
      prototype: Item.prototype,
      renamed: { created_at: "createdAt", updated_at: "updatedAt" },
    },
  ],
]);

/** The type of a record, also of one from another copy of this package. */
export function pythonRecordTypeOf(value: object): PythonRecordType | undefined {
  const name: unknown = (value as Partial<PythonRecord>)[BRAND];
  return typeof name === "string" ? PYTHON_RECORDS.get(name) : undefined;
}

export function dumpPythonRecord(
  type: PythonRecordType,
): (value: object, writer: ValueWriter) => void {
  const names = new Map(Object.entries(type.renamed).map(([name, key]) => [key, name]));
  return (value, writer) => {
    const record = value as Record<string, unknown>;
    const keys = Object.keys(record);
    writer.begin(type.code);
    writer.typeHead(3, ...type.key);
    writer.map(keys.length);
    for (const key of keys) {
      writer.text(names.get(key) ?? key);
      writer.child(key, record[key]);
    }
    writer.end();
  };
}

export function raisePythonRecord(
  type: PythonRecordType | undefined,
  reader: ValueReader,
): object | undefined {
  if (type === undefined) return undefined;
  const record = reader.enter(Object.create(type.prototype) as object);
  reader.fields((name, value) => define(record, type.renamed[name] ?? name, value));
  return record;
}
