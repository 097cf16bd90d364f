import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "vitest";

/** Folders that end with the test. */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  return () => {
    const folder = mkdtempSync(path.join(tmpdir(), "threadkeep-"));
    made.push(folder);
    return folder;
  };
}
