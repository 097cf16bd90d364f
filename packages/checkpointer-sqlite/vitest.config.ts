import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // LangGraph's validation suite expects them.
    globals: true,
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
  },
});

export default config;
