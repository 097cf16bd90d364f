import { validate } from "@langchain/langgraph-checkpoint-validation";
import { deltaChannelHistoryTests } from "@langchain/langgraph-checkpoint-validation";
import { SqliteSaver } from "../src/index.ts";

// LangGraph's own suite for savers, whole: `validate` leaves the history of delta channels out.
const initializer = {
  checkpointerName: "@threadkeep/checkpointer-sqlite",
  createCheckpointer: () => SqliteSaver.fromConnString(":memory:"),
  destroyCheckpointer: (saver: SqliteSaver) => saver.close(),
};

validate(initializer as never);
deltaChannelHistoryTests(initializer as never);
