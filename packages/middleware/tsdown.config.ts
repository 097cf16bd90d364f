import { defineConfig, type UserConfig } from "tsdown";

const shared: UserConfig = { target: "node20.19", platform: "node", sourcemap: true };

const configs: UserConfig[] = defineConfig([
  {
    ...shared,
    entry: ["src/index.ts", "src/testing.ts"],
    format: ["esm", "cjs"],
    dts: true,
    publint: true,
    attw: { profile: "node16", level: "error" },
  },
  // A program of its own, which the harness starts: never imported.
  { ...shared, entry: ["src/testing-worker.ts"], format: ["esm"], dts: false, clean: false },
]) as UserConfig[];

export default configs;
