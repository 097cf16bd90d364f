import { buildDocument } from "../langgraph.ts";
import type { ValueReader } from "./value-reader.ts";
import { Ext } from "../wire.ts";
import type { ValueWriter } from "./value-writer.ts";

export const DOCUMENT = { module: "langchain_core.documents.base", name: "Document" } as const;

/** Python's names of the fields by ours, in Python's order. */
const FIELDS = { id: "id", metadata: "metadata", pageContent: "page_content" } as const;

/** LangChain's `Document`; an id that is not set is nil. */
export function dumpDocument(value: object, writer: ValueWriter): void {
  const document = value as Record<string, unknown>;
  const unknown = Object.keys(document).filter((key) => !Object.hasOwn(FIELDS, key));
  const message = `a Document with extra fields (${unknown.join(", ")}); move them into metadata`;
  if (unknown.length > 0 && writer.loses(message, "Document")) return writer.nil();
  writer.begin(Ext.PYDANTIC_V2);
  writer.typeHead(4, DOCUMENT.module, DOCUMENT.name);
  writer.map(4);
  for (const [key, name] of Object.entries(FIELDS)) {
    const field = document[key];
    writer.text(name);
    if (field === undefined) writer.nil();
    else writer.child(key, field);
  }
  writer.text("type");
  writer.text(DOCUMENT.name);
  writer.text("model_validate_json");
  writer.end();
}

export function raiseDocument(reader: ValueReader): object {
  const document = reader.enter(buildDocument() as unknown as Record<string, unknown>);
  const ours = new Map(Object.entries(FIELDS).map(([key, name]) => [name as string, key]));
  reader.fields((name, value) => {
    const key = ours.get(name);
    if (key !== undefined) document[key] = value ?? undefined;
  });
  return document;
}
