import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { SqliteSaver } from "../../src/index.ts";

/** A storage that outlives its savers, and everything that lies in it, as text. */
export interface Storage {
  open(): object;
  bytes(): string;
  close(): Promise<void>;
}

/** A file with its write-ahead log. */
export function sqliteFile(): Storage {
  const folder = mkdtempSync(join(tmpdir(), "threadkeep-policy-"));
  const savers: SqliteSaver[] = [];
  return {
    open() {
      const saver = SqliteSaver.fromConnString(join(folder, "t.db"));
      savers.push(saver);
      return saver;
    },
    bytes: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name)).toString("latin1"))
        .join(""),
    async close() {
      await Promise.all(savers.map((saver) => saver.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** LangGraph's saver in memory, with what is sealed in it opened. */
export function memory(): Storage {
  const saver = new MemorySaver();
  return {
    open: () => saver,
    bytes: () => unsealed(JSON.stringify(texts([saver.storage, saver.writes]))),
    close: async () => undefined,
  };
}

export const storages: Readonly<Record<string, () => Storage>> = {
  SqliteSaver: sqliteFile,
  MemorySaver: memory,
};

/** What is sealed in a text, opened. */
export function unsealed(text: string): string {
  return text.replace(/threadkeep:1:[a-z+]+:([A-Za-z0-9+/=]+)/g, (_all, body: string) =>
    Buffer.from(body, "base64").toString("latin1"),
  );
}

/** Bytes as text, names of entries included. */
function texts(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([key, item]) => [key, texts(item)]);
}
