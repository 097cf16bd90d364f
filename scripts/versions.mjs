// Versions that the workspace installs, and those that its packages admit.

import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./process.mjs";

/** The catalog of pnpm-workspace.yaml: a version by the name of its package. */
export function readCatalog() {
  const text = readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8");
  const [, body = ""] = /^catalog:\n((?: {2}.*\n)+)/m.exec(text) ?? [];
  return Object.fromEntries(
    [...body.matchAll(/^ {2}"?([^":\n]+)"?: (\S+)/gm)].map(([, name, version]) => [name, version]),
  );
}

/** The lowest version of each peer range of the packages, optional peers aside. */
export function oldestPeers(packages) {
  const oldest = {};
  for (const { manifest } of packages) {
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      if (manifest.peerDependenciesMeta?.[name]?.optional === true) continue;
      const [version] = /\d+\.\d+\.\d+/.exec(range) ?? [];
      if (version === undefined)
        throw new Error(`${manifest.name}: no version in ${name} ${range}`);
      if (version !== (oldest[name] ?? version))
        throw new Error(`${manifest.name}: another package begins at ${name} ${oldest[name]}`);
      oldest[name] = version;
    }
  }
  return oldest;
}
