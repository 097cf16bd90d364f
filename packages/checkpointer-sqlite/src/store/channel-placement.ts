import type { ThreadState } from "../parts/known-elements.ts";
import type { CheckpointStore, ThreadPlace } from "./checkpoint-store.ts";
import type { OwnValue } from "./header.ts";
import type { RootRow } from "./statements.ts";

type Version = number | string;

/**
 * Decides where the values of one checkpoint lie: under their channel's version, for every
 * checkpoint that has it; or in the checkpoint's own row, where a version would find another value.
 */
export class ChannelPlacement {
  readonly versioned: string[] = [];
  readonly own: Record<string, OwnValue> = {};
  readonly #store: CheckpointStore;
  readonly #threadId: string;
  readonly #state: ThreadState | undefined;
  readonly #ns: string;
  readonly #versions: Readonly<Record<string, Version>>;
  readonly #new: (readonly [channel: string, version: Version, row: RootRow])[] = [];
  readonly #ambiguous: (readonly [channel: string, version: Version])[] = [];

  constructor(
    store: CheckpointStore,
    threadId: string,
    state: ThreadState | undefined,
    ns: string,
    versions: Readonly<Record<string, Version>>,
  ) {
    this.#store = store;
    this.#threadId = threadId;
    this.#state = state;
    this.#ns = ns;
    this.#versions = versions;
  }

  /** Whether an old version's value is there, and is surely this one. */
  find(channel: string): boolean {
    if (this.#row(channel)?.ambiguous !== 0) return false;
    this.versioned.push(channel);
    return true;
  }

  add(channel: string, value: OwnValue, row: RootRow): void {
    const version = this.#version(channel);
    const stored = this.#row(channel);
    if (version !== undefined && stored === undefined) this.#new.push([channel, version, row]);
    if (version !== undefined && (stored === undefined || this.#isSame(stored, value))) {
      this.versioned.push(channel);
      return;
    }
    define(this.own, channel, value);
    // Two branches gave one version to different values.
    if (version !== undefined && stored?.ambiguous === 0) this.#ambiguous.push([channel, version]);
  }

  /** Write the rows. False when another process has used one of the versions meanwhile. */
  store(thread: number): boolean {
    const place: ThreadPlace = { thread, ns: this.#ns };
    for (const [channel, version] of this.#ambiguous)
      this.#store.markAmbiguous(place, channel, version);
    return this.#new.every(([channel, version, row]) =>
      this.#store.putChannel(place, channel, version, row),
    );
  }

  #isSame(stored: RootRow, { tag, document }: OwnValue): boolean {
    const known = this.#store.sealing.open(this.#threadId, stored.root);
    return stored.tag === tag && Buffer.compare(known, document) === 0;
  }

  #row(channel: string): (RootRow & { readonly ambiguous: number }) | undefined {
    const version = this.#version(channel);
    if (this.#state === undefined || version === undefined) return undefined;
    return this.#store.channel({ ...this.#state, ns: this.#ns }, channel, version);
  }

  #version(channel: string): Version | undefined {
    return Object.hasOwn(this.#versions, channel) ? this.#versions[channel] : undefined;
  }
}

function define<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
