import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  maxChannelVersion,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer } from "@threadkeep/serde";
import { toConfig } from "./config.ts";
import { SaverError } from "./errors.ts";
import { settle } from "./foreign-serializer.ts";
import { type LoadPlace, placed } from "./load-error.ts";
import { type ChannelVersion, nextVersion } from "./next-version.ts";
import type { KnownElements } from "./parts/known-elements.ts";
import type { StoredAt } from "./saver-protocol.ts";
import { type FetchedPart, PartReader } from "./parts/part-reader.ts";
import { digestKey } from "./parts/tokens.ts";
import type { CheckpointStore } from "./store/checkpoint-store.ts";
import { type Header, type HeaderShape, loadHeader } from "./store/header.ts";
import type { CheckpointRow, RootRow, WriteRow } from "./store/statements.ts";
import type { ValueCodec } from "./value-codec.ts";

/** What savers on one database read with. */
export interface ReaderParts {
  readonly store: CheckpointStore;
  readonly values: ValueCodec;
  readonly own: MsgpackSerializer;
  /** Learns what is read, so that it need not be written again; left out for what nobody goes on from. */
  readonly known?: KnownElements | undefined;
}

/** A stored value, and the name under which damage to it is reported. */
interface Value {
  readonly name: string;
  readonly tag: string | null;
  readonly document: Uint8Array;
}

/** Header shapes kept: a graph has a few, each of its checkpoints needs one. */
const MAX_SHAPES = 256;

/** Reads checkpoints. Everything but another serializer's work is done when a method returns. */
export class CheckpointReader {
  readonly #with: ReaderParts;
  readonly #shapes = new Map<string, HeaderShape>();

  constructor(parts: ReaderParts) {
    this.#with = parts;
  }

  /** The whole checkpoint; `learns` says that somebody goes on from it. */
  tuple(row: CheckpointRow, learns: boolean): Promise<CheckpointTuple> {
    const { store } = this.#with;
    const parts = this.#parts(row, learns);
    const header = this.header(row, parts);
    const channels = this.channels(row, header);
    const writes = store.writes(row, row.checkpoint_id);
    const pending = writes.map((write) => this.#open(row, write.channel, write));
    const metadata = this.#metadata(row);
    const sends = this.#parentSends(row, header);
    parts.prefetch([...channels, ...pending, metadata, ...sends].map(({ document }) => document));
    const read = (value: Value): unknown => this.read(row, value, parts);
    return assemble(row, header, {
      channels: channels.map((value) => [value.name, read(value)]),
      pending: pending.map((value, i) => [writes[i] as WriteRow, read(value)]),
      metadata: read(metadata),
      sends: sends.map(read),
    });
  }

  /** What a checkpoint says of itself besides its state; a promise with another serializer. */
  metadata(row: CheckpointRow): unknown {
    const parts = this.#parts(row, false);
    const metadata = this.#metadata(row);
    parts.prefetch([metadata.document]);
    return this.read(row, metadata, parts);
  }

  header(row: CheckpointRow, parts: PartReader = this.#parts(row, false)): Header {
    const { store, own } = this.#with;
    return naming(row, "header", () => {
      const read = (document: Uint8Array): unknown =>
        own.read("msgpack", document, (digest) => this.#shape(row.thread, digest, parts, read));
      const header = loadHeader(read(store.sealing.open(row.thread_id, row.header)) as never);
      if (header.fields.id !== row.checkpoint_id)
        throw new SaverError("corrupt", "it is another checkpoint's");
      return header;
    });
  }

  /** The stored values of a checkpoint's channels, or of those that are named. */
  channels(row: CheckpointRow, header: Header, names?: ReadonlySet<string>): Value[] {
    const { store } = this.#with;
    const { fields, versioned, own } = header;
    const wanted = (name: string): boolean => names === undefined || names.has(name);
    const found = versioned.filter(wanted).map((name) => {
      const root = store.channel(row, name, fields.channel_versions[name] as ChannelVersion);
      if (root === undefined) throw corrupt(row, name, "its value is missing");
      return this.#open(row, name, root);
    });
    const kept = Object.entries(own).filter(([name]) => wanted(name));
    return [...found, ...kept.map(([name, value]) => ({ name, ...value }))];
  }

  /** What lies under a channel's version, where that version says it all. */
  version({ threadId, ns, channel, version }: StoredAt): { readonly value: unknown } | undefined {
    const { store } = this.#with;
    const state = store.state(threadId);
    const root = state && store.channel({ thread: state.thread, ns }, channel, version);
    if (root === undefined || root.ambiguous !== 0) return undefined;
    const row = { ...state, thread_id: threadId, ns, checkpoint_id: "" } as CheckpointRow;
    return { value: this.read(row, this.#open(row, channel, root), this.#parts(row, false)) };
  }

  /** A reader for the parts of the row's thread. */
  parts(row: CheckpointRow): PartReader {
    return this.#parts(row, false);
  }

  read(row: CheckpointRow, { name, tag, document }: Value, parts: PartReader): unknown {
    return naming(row, name, () =>
      this.#with.values.decode(tag, document, parts, placeOf(row, name)),
    );
  }

  /** The stored values of writes. */
  writes(row: CheckpointRow, writes: readonly WriteRow[]): Value[] {
    return writes.map((write) => this.#open(row, write.channel, write));
  }

  #metadata(row: CheckpointRow): Value {
    return this.#open(row, "metadata", { tag: row.metadata_tag, root: row.metadata });
  }

  /** Before format 4 a checkpoint's Sends lay among its parent's writes. */
  #parentSends(row: CheckpointRow, { fields }: Header): Value[] {
    if (!(typeof fields.v === "number" && fields.v < 4) || row.parent_id === null) return [];
    return this.writes(row, this.#with.store.writes(row, row.parent_id, [TASKS]));
  }

  #open(row: CheckpointRow, name: string, { tag, root }: RootRow): Value {
    const { sealing } = this.#with.store;
    return naming(row, name, () => ({ name, tag, document: sealing.open(row.thread_id, root) }));
  }

  #parts(row: CheckpointRow, learns: boolean): PartReader {
    const { store, known } = this.#with;
    const { thread, ns, generation } = row;
    const fetch = (digests: readonly Uint8Array[]): readonly FetchedPart[] =>
      store.parts(row.thread_id, thread, digests);
    if (!learns || known === undefined) return new PartReader(fetch);
    const elements = known.of(thread, ns);
    elements.turn();
    return new PartReader(fetch, { elements, generation });
  }

  #shape(
    thread: number,
    digest: Uint8Array,
    parts: PartReader,
    read: (document: Uint8Array) => unknown,
  ): unknown {
    const key = `${thread} ${digestKey(digest)}`;
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const found = read(parts.part(digest).document);
    if (this.#shapes.size >= MAX_SHAPES) this.#shapes.clear();
    this.#shapes.set(key, found as HeaderShape);
    return found;
  }
}

interface Contents {
  readonly channels: readonly (readonly [name: string, value: unknown])[];
  readonly pending: readonly (readonly [write: WriteRow, value: unknown])[];
  readonly metadata: unknown;
  readonly sends: readonly unknown[];
}

async function assemble(
  row: CheckpointRow,
  { fields }: Header,
  { channels, pending, metadata, sends }: Contents,
): Promise<CheckpointTuple> {
  await settle([...channels, ...pending, ["metadata", metadata]].map(([, value]) => value));
  await settle(sends);
  const channelValues: Record<string, unknown> = {};
  for (const [channel, value] of channels) {
    Object.defineProperty(channelValues, channel, {
      value: await value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  const pendingWrites: CheckpointPendingWrite[] = [];
  for (const [{ task_id, channel }, value] of pending)
    pendingWrites.push([task_id, channel, await value]);
  const checkpoint = { ...fields, channel_values: channelValues } as unknown as Checkpoint;
  if (typeof fields.v === "number" && fields.v < 4 && row.parent_id !== null)
    migrateSends(checkpoint, await Promise.all(sends));
  const tuple: CheckpointTuple = {
    config: toConfig(row.thread_id, row.ns, row.checkpoint_id),
    checkpoint,
    metadata: (await metadata) as CheckpointMetadata,
    pendingWrites,
  };
  if (row.parent_id !== null) tuple.parentConfig = toConfig(row.thread_id, row.ns, row.parent_id);
  return tuple;
}

function migrateSends(checkpoint: Checkpoint, sends: unknown[]): void {
  checkpoint.channel_values[TASKS] = sends;
  const versions = Object.values(checkpoint.channel_versions) as ChannelVersion[];
  checkpoint.channel_versions = {
    ...checkpoint.channel_versions,
    [TASKS]: versions.length > 0 ? maxChannelVersion(...versions) : nextVersion(undefined),
  };
}

/** Damage, and what a serializer refuses, is told with its place. */
function naming<T>(row: CheckpointRow, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (SaverError.is(error) && error.code === "corrupt")
      throw corrupt(row, name, error.message, error);
    const code = (error as { code?: unknown } | null)?.code;
    if (code === "malformed_payload" || code === "unknown_tag")
      throw corrupt(row, name, "its bytes are damaged", error);
    throw placed(error, placeOf(row, name));
  }
}

function placeOf(row: CheckpointRow, channel: string): LoadPlace {
  const { thread_id: threadId, ns, checkpoint_id: checkpointId } = row;
  return { threadId, ns, checkpointId, channel };
}

function corrupt(row: CheckpointRow, name: string, what: string, cause?: unknown): SaverError {
  return new SaverError(
    "corrupt",
    `Thread ${JSON.stringify(row.thread_id)}, checkpoint ${row.checkpoint_id}, channel ${JSON.stringify(name)}: ${what}`,
    cause === undefined ? undefined : { cause },
  );
}
