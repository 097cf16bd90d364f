import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Suites for what Node.js 20 does not have; `newer-node.test.ts` runs them. */
const config: ViteUserConfig = defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/newer-node/*.suite.ts"],
    globals: true,
  },
});

export default config;
