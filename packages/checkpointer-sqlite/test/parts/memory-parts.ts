import { MsgpackSerializer, type WriteHooks } from "@threadkeep/serde";
import { PLAIN } from "../../src/codec.ts";
import { KnownElements, type ThreadState } from "../../src/parts/known-elements.ts";
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
  state: ThreadState = { thread: 1, generation: 0 };
  /** Bytes and parts that the last write added. */
  added = { parts: 0, bytes: 0, root: 0 };
  readonly #sealing = new Sealing(PLAIN);

  constructor(serializer: MsgpackSerializer = new MsgpackSerializer()) {
    this.serializer = serializer;
  }

  write(value: unknown, hooks: WriteHooks = {}): Uint8Array {
    const { root, parts, learned } = writeParts(value, hooks, {
      serializer: this.serializer,
      name: (part) => this.#sealing.name(part),
      known: this.known,
      state: this.state,
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
    const batch = this.known.newBatch();
    for (const { element, stored, isNew } of learned)
      this.known.learn(element, stored, { state: this.state, batch, isNew, isOwn: false });
    return root;
  }

  /** How often parts were fetched by the last read. */
  fetches = 0;

  read(root: Uint8Array, learns = true): unknown {
    this.fetches = 0;
    const reader = new PartReader(
      (digests) => {
        this.fetches++;
        return digests.map((digest) => {
          const bytes = this.stored.get(digestKey(digest));
          return bytes && partFrom(bytes);
        });
      },
      learns ? { known: this.known, state: this.state } : undefined,
    );
    reader.prefetch([root]);
    return reader.read(root, this.serializer);
  }
}
