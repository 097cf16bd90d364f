import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * Every test runs twice: with the library's private members in use, and on its public API alone.
 * What costs minutes, or does not touch bytes, runs once.
 */
const ONCE = [
  "test/{copies,encoding-memory,exports,readme,golden-files,hostile-memory,scanner-speed}.test.ts",
];

const config: ViteUserConfig = defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "inner",
          include: ["test/**/*.test.ts"],
          typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
        },
      },
      {
        extends: true,
        test: {
          name: "public",
          include: ["test/**/*.test.ts"],
          exclude: ONCE,
          setupFiles: ["test/public-api-only.ts"],
        },
      },
    ],
  },
});

export default config;
