import { createHash } from "node:crypto";
import type { StoredAt } from "./saver-protocol.ts";

/** How many values are remembered. */
const REMEMBERED = 4096;

/**
 * What lies under the versions of channels in a saver that stores each version once, as digests of
 * the sealed texts: a value that changed in place is so told from the one that was stored.
 */
export class SealedVersions {
  readonly #digests = new Map<string, string>();

  /** Remember what lies under the channels' versions. Gives a function that forgets it again. */
  note(
    { threadId, ns }: Pick<StoredAt, "threadId" | "ns">,
    sealed: readonly (readonly [channel: string, text: string])[],
    versions: Readonly<Record<string, string | number>>,
  ): () => void {
    const added: string[] = [];
    for (const [channel, text] of sealed) {
      const version = Object.hasOwn(versions, channel) ? versions[channel] : undefined;
      if (version === undefined) continue;
      const key = keyOf({ threadId, ns, channel, version });
      if (this.#digests.has(key)) continue;
      this.#digests.set(key, digestOf(text));
      added.push(key);
      if (this.#digests.size > REMEMBERED)
        this.#digests.delete(this.#digests.keys().next().value as string);
    }
    return () => added.forEach((key) => this.#digests.delete(key));
  }

  holds(at: StoredAt, seal: () => string): boolean {
    const known = this.#digests.get(keyOf(at));
    if (known === undefined) return false;
    try {
      return digestOf(seal()) === known;
    } catch {
      // What can't be stored is not what is stored; whoever stores it will be told.
      return false;
    }
  }
}

function keyOf({ threadId, ns, channel, version }: StoredAt): string {
  return JSON.stringify([threadId, ns, channel, version]);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
