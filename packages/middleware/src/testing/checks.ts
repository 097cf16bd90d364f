import { readFile } from "node:fs/promises";
import { differences } from "./difference.ts";
import { PersistenceTestError } from "./errors.ts";
import { findTexts, textsOf } from "./untracked-text.ts";

type State = Readonly<Record<string, unknown>>;

/** Whether the storage knows the thread at all. */
export function checkStored(
  live: State,
  stored: { readonly values: State; readonly next: readonly string[] },
): void {
  if (stored.next.length > 0 || Object.keys(stored.values).length > 0) return;
  if (Object.keys(live).length === 0) return;
  throw new PersistenceTestError(
    "not_stored",
    "Nothing of the thread is in the storage: open() has to open the same storage each time, and build() has to use what it gave",
  );
}

/** Whether those nodes wait that should; not checked without an expectation. */
export function checkNext(
  whose: string,
  next: readonly string[],
  expected: readonly string[] | undefined,
): void {
  if (
    expected === undefined ||
    (next.length === expected.length && expected.every((name, i) => next[i] === name))
  )
    return;
  throw new PersistenceTestError(
    "wrong_next",
    `${whose} waits for [${next.join(", ")}], not for [${expected.join(", ")}]`,
  );
}

/** Whether each field came back as it was, by type and content. */
export function checkKept(live: State, stored: State): void {
  const found = differences(live, stored);
  if (found.length === 0) return;
  const lines = found.map(({ path, was, is }) => `  - ${path}: ${was} came back as ${is}`);
  throw new PersistenceTestError(
    "changed",
    ["The state is another one after it was stored:", ...lines].join("\n"),
    found.map(({ path }) => path),
  );
}

/** Whether no text of untracked fields is in the storage. */
export async function checkUntracked(
  live: State,
  names: readonly string[],
  files: readonly string[],
): Promise<void> {
  const texts = names.flatMap((name) => textsOf(live[name], name));
  const storage = await Promise.all(files.map(contentsOf));
  const found = findTexts(texts, storage);
  if (found.length === 0) return;
  throw new PersistenceTestError(
    "untracked_stored",
    `Untracked state is in the storage: ${found.join(", ")}`,
    found,
  );
}

/** Whether the messages of before the interrupt are there in the end. */
export function checkHistory(before: unknown, after: unknown): void {
  if (!Array.isArray(before)) return;
  const ids = new Set(
    (Array.isArray(after) ? after : []).map((message) => (message as { id?: unknown }).id),
  );
  const lost = before.flatMap((message, i) =>
    ids.has((message as { id?: unknown }).id) ? [] : [`messages[${i}]`],
  );
  if (lost.length === 0) return;
  throw new PersistenceTestError(
    "history_lost",
    `Messages of before the interrupt are gone: ${lost.join(", ")}`,
    lost,
  );
}

async function contentsOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new PersistenceTestError(
      "invalid_options",
      `files names ${file}, which can't be read`,
      [],
      { cause },
    );
  }
}
