import { createRequire } from "node:module";
import type { DatabaseSync } from "node:sqlite";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { SqliteSaver } from "../../src/index.ts";
import { saverContract } from "../contract/saver-contract.ts";

type NodeSqlite = { readonly DatabaseSync: new (file: string) => DatabaseSync };

// Not through an import: bundlers don't know the module yet.
const { DatabaseSync: Database } = createRequire(import.meta.url)("node:sqlite") as NodeSqlite;

saverContract("node:sqlite", (file) => new Database(file));

const initializer = {
  checkpointerName: "@threadkeep/checkpointer-sqlite on node:sqlite",
  createCheckpointer: () => new SqliteSaver(new Database(":memory:")),
  destroyCheckpointer: (saver: SqliteSaver) => saver.close(),
};

validate(initializer as never);
deltaChannelHistoryTests(initializer as never);
