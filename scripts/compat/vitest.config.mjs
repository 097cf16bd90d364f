// Tests of what leans on LangGraph and LangChain; for the workspace of older versions.

export default {
  // In Zod 3.25 the fourth version has a path of its own.
  resolve: {
    alias: [
      { find: /^zod$/, replacement: "zod/v4" },
      { find: /^zod\/mini$/, replacement: "zod/v4-mini" },
    ],
  },
  test: {
    include: [
      "packages/checkpointer-sqlite/test/{policy,resume}/*.test.ts",
      "packages/checkpointer-sqlite/test/{contract,harden,state-drift,validation}.test.ts",
      "packages/middleware/test/{persistence,plain-saver,state-graph,testing,untracked-placement}.test.ts",
      "packages/serde/test/memory-saver.test.ts",
    ],
    globals: true,
    testTimeout: 60_000,
    // Loading LangChain takes longer than most tests.
    isolate: false,
    maxWorkers: 2,
  },
};
