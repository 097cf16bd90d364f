import { MsgpackSerializer, type WriteHooks } from "@threadkeep/serde";
import { PLAIN } from "../../src/codec.ts";
import { KnownElements } from "../../src/parts/known-elements.ts";
import type { ThreadElements } from "../../src/parts/thread-elements.ts";
import { partBytes, partFrom } from "../../src/parts/part.ts";
import { PartReader } from "../../src/parts/part-reader.ts";
import { writeParts } from "../../src/parts/part-writer.ts";
import { digestKey } from "../../src/parts/tokens.ts";
import { Sealing } from "../../src/store/sealing.ts";

/** Values in parts, as a saver keeps them, in memory. */
export class MemoryParts {
  readonly stored: Map<string, Uint8Array> = new Map<string, Uint8Array>();
  readonly known: KnownElements = new KnownElements();
  readonly serializer: MsgpackSerializer;
  generation = 0;
  /** Bytes and parts that the last write added. */
  added = { parts: 0, bytes: 0, root: 0 };
  readonly #sealing = new Sealing(PLAIN);
  readonly #elements: ThreadElements = this.known.of(1, "");

  constructor(serializer: MsgpackSerializer = new MsgpackSerializer()) {
    this.serializer = serializer;
  }

  write(value: unknown, hooks: WriteHooks = {}): Uint8Array {
    const { root, parts, batches } = writeParts(value, hooks, {
      serializer: this.serializer,
      name: (part) => this.#sealing.name(part),
      shared: this.known.shared,
      known: { elements: this.#elements, generation: this.generation },
    });
    this.added = { parts: 0, bytes: 0, root: root.length };
    for (const part of parts) {
      const key = digestKey(part.digest);
      if (this.stored.has(key)) continue;
      const bytes = partBytes(part);
      this.stored.set(key, bytes);
      this.added.parts++;
      this.added.bytes += bytes.length;
    }
    this.#elements.learnAll(batches, this.generation);
    return root;
  }

  /** How often parts were fetched by the last read. */
  fetches = 0;

  read(root: Uint8Array, learns = true): unknown {
    this.fetches = 0;
    if (learns) this.#elements.turn();
    const reader = new PartReader(
      (digests) => {
        this.fetches++;
        return digests.map((digest) => {
          const bytes = this.stored.get(digestKey(digest));
          return bytes && partFrom(bytes);
        });
      },
      learns ? { elements: this.#elements, generation: this.generation } : undefined,
    );
    reader.prefetch([root]);
    return reader.read(root, this.serializer);
  }
}
