import { buildDocument } from "../langgraph.ts";
import type { Reader } from "../read/reader.ts";
import { Ext } from "../wire.ts";
import type { Writer } from "../write/writer.ts";

export const DOCUMENT = { module: "langchain_core.documents.base", name: "Document" } as const;

/** Python's names of the fields by ours, in Python's order. */
const FIELDS = { id: "id", metadata: "metadata", pageContent: "page_content" } as const;

/** LangChain's `Document`; an id that is not set is nil. */
export function dumpDocument(value: object, writer: Writer): void {
  const document = value as Record<string, unknown>;
  const unknown = Object.keys(document).filter((key) => !Object.hasOwn(FIELDS, key));
  if (unknown.length > 0) {
    return writer.problem(
      "unsupported_type",
      `a Document with extra fields (${unknown.join(", ")}); move them into metadata`,
      "Document",
    );
  }
  writer.document(Ext.PYDANTIC_V2, () => {
    writer.typeHead(4, DOCUMENT.module, DOCUMENT.name);
    writer.sink.map(4);
    for (const [key, name] of Object.entries(FIELDS)) {
      writer.sink.text(name);
      if (document[key] === undefined) writer.sink.nil();
      else writer.child(key, document[key]);
    }
    writer.sink.text("type");
    writer.sink.text(DOCUMENT.name);
    writer.sink.text("model_validate_json");
  });
}

export function raiseDocument(kwargs: unknown, reader: Reader): object {
  const document = reader.enter(buildDocument() as unknown as Record<string, unknown>);
  const raw = new Map(reader.fields(kwargs));
  for (const [key, name] of Object.entries(FIELDS)) {
    const value = raw.get(name);
    document[key] = value === null || value === undefined ? undefined : reader.child(key, value);
  }
  return document;
}
