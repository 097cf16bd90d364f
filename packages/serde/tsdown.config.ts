import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: {
    index: "src/index.ts",
    definitions: "src/definitions/index.ts",
    policy: "src/policy/index.ts",
    parts: "src/parts/index.ts",
  },
  format: ["esm", "cjs"],
  target: "node20.19",
  platform: "node",
  dts: true,
  sourcemap: true,
  publint: true,
  attw: { profile: "node16", level: "error" },
});

export default config;
