// The packages and examples of this workspace.

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { readJson, root } from "./process.mjs";

/** Every workspace folder, as `{ name, folder, manifest }`. */
export function workspaces() {
  return ["packages", "examples"].flatMap((parent) =>
    readdirSync(path.join(root, parent))
      .sort()
      .map((name) => ({ name, folder: path.join(root, parent, name) }))
      .filter(({ folder }) => existsSync(path.join(folder, "package.json")))
      .map((it) => ({ ...it, manifest: readJson(path.join(it.folder, "package.json")) })),
  );
}
