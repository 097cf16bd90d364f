import { randomUUID } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer, WriteHooks } from "@threadkeep/serde";
import { ASIDE } from "@threadkeep/serde/policy";
import { requireCheckpoint, requireWrites } from "./check-arguments.ts";
import {
  checkText,
  type ConfigLike,
  readAddress,
  readCheckpointAddress,
  requireId,
  toConfig,
} from "./config.ts";
import { stampOf } from "./drift/stamp.ts";
import { SaverError } from "./errors.ts";
import { settle } from "./foreign-serializer.ts";
import type { SaverHooks } from "./saver-protocol.ts";
import { namingOwner } from "./name-owner.ts";
import type { KnownElements, ThreadState } from "./parts/known-elements.ts";
import type { PartContext } from "./parts/parted-value.ts";
import { Batch } from "./store/batch.ts";
import { ChannelPlacement } from "./store/channel-placement.ts";
import type { CheckpointStore } from "./store/checkpoint-store.ts";
import { dumpHeader, headerFields } from "./store/header.ts";
import type { Encode, ValueCodec } from "./value-codec.ts";

/** How often a call starts anew because another process changed the thread in between. */
const MAX_TRIES = 20;

/** What savers on one database write with. */
export interface WriterParts {
  readonly store: CheckpointStore;
  readonly values: ValueCodec;
  readonly known: KnownElements;
  /** For what is ours whatever serializer the values have. */
  readonly own: MsgpackSerializer;
}

/**
 * Writes checkpoints and pending writes.
 *
 * With our serializer nothing is awaited, so the caller's objects can't change on the way; with
 * another one everything is read from them before the first await.
 */
export class CheckpointWriter {
  readonly #with: WriterParts;

  constructor(parts: WriterParts) {
    this.#with = parts;
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
    hooks: WriteHooks,
  ): Promise<RunnableConfig> {
    const { store, values, own } = this.#with;
    const { threadId, ns, checkpointId: parentId } = readAddress(config as ConfigLike);
    requireCheckpoint(checkpoint, newVersions);
    const id = requireId("checkpoint.id", checkpoint.id);
    const channels = Object.entries(checkpoint.channel_values).filter(
      ([, value]) => value !== undefined,
    );
    const names = channels.map(([channel]) => checkText("channel", channel));
    const encoder = (channel: string, value: unknown): Encode | Promise<Encode> =>
      values.encoder(
        value,
        { ...hooks, at: [channel] },
        { threadId, ns, checkpointId: id, channel },
      );
    const encoders = channels.map(([channel, value]) => encoder(channel, value));
    const described = encoder("metadata", metadata);
    const fields = values.isAsync
      ? structuredClone(headerFields(checkpoint))
      : headerFields(checkpoint);
    const encode = values.isAsync
      ? await settle([...encoders, described])
      : ([...encoders, described] as Encode[]);
    const encodeMetadata = encode.pop() as Encode;

    this.#write("Storing a checkpoint", threadId, ns, (state, known, batch) => {
      const placement = new ChannelPlacement(store, threadId, state, ns, fields.channel_versions);
      names.forEach((channel, i) => {
        const isOld =
          Object.hasOwn(fields.channel_versions, channel) && !Object.hasOwn(newVersions, channel);
        // A first checkpoint has no older values, and the saver contract wants none then.
        if (isOld && (placement.find(channel) || parentId === undefined)) return;
        const value = batch.add((encode[i] as Encode)(known));
        placement.add(channel, value, batch.seal(value));
      });
      const stored = batch.seal(batch.add(encodeMetadata(known)));
      const header = { fields, versioned: placement.versioned, own: placement.own };
      const { document, shape } = dumpHeader(header, own, (part) => store.sealing.name(part));
      batch.parts.push(shape);
      const sealed = batch.seal({ tag: null, document: batch.short(document) }).root;
      return (thread) => {
        const row = {
          thread,
          ns,
          checkpoint_id: id,
          parent_id: parentId ?? null,
          header: sealed,
          metadata_tag: stored.tag,
          metadata: stored.root,
        };
        store.putCheckpoint(row, stampOf(fields));
        return placement.store(thread);
      };
    });
    return toConfig(threadId, ns, id);
  }

  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath: string,
    { aside, ...hooks }: SaverHooks,
  ): Promise<void> {
    const { store, values } = this.#with;
    const { threadId, ns, checkpointId } = readCheckpointAddress(config as ConfigLike);
    requireWrites(writes);
    requireId("taskId", taskId);
    checkText("taskPath", taskPath);
    const names = writes.map(([channel]) => checkText("channel", channel));
    const all: readonly PendingWrite[] = aside === undefined ? writes : [...writes, [ASIDE, aside]];
    const encoders = all.map(([channel, value]) =>
      values.encoder(value, { ...hooks, at: [channel] }, { threadId, ns, checkpointId, channel }),
    );
    const encode = values.isAsync ? await settle(encoders) : (encoders as Encode[]);
    const encodeAside = aside === undefined ? undefined : encode.pop();
    if (writes.length === 0) return;
    this.#write("Storing writes", threadId, ns, (_, known, batch) => {
      const rows = encode.map((encode) =>
        batch.seal(batch.add(namingOwner(taskPath, () => encode(known)))),
      );
      const rowAside = encodeAside && batch.seal(batch.add(encodeAside(known)));
      return (thread) => {
        if (rowAside !== undefined) {
          const key = [taskPath, randomUUID(), 0] as const;
          store.putWrite({ thread, ns }, checkpointId, key, { channel: ASIDE, ...rowAside });
        }
        names.forEach((channel, i) => {
          const reserved = Object.hasOwn(WRITES_IDX_MAP, channel)
            ? WRITES_IDX_MAP[channel]
            : undefined;
          const key = [taskPath, taskId, reserved ?? i] as const;
          const row = rows[i] as (typeof rows)[number];
          store.putWrite({ thread, ns }, checkpointId, key, { channel, ...row });
        });
        return true;
      };
    });
  }

  /**
   * Encode for the thread as it is seen, then write in one transaction if it still is so; else both
   * anew. Nothing is encoded while the transaction is open.
   */
  #write(
    doing: string,
    threadId: string,
    ns: string,
    prepare: (
      seen: ThreadState | undefined,
      known: PartContext["known"],
      batch: Batch,
    ) => (thread: number) => boolean,
  ): void {
    const { store, known } = this.#with;
    for (let i = 0; i < MAX_TRIES; i++) {
      const seen = store.state(threadId);
      const batch = new Batch(store.sealing, threadId);
      const about = seen && { elements: known.of(seen.thread, ns), generation: seen.generation };
      const write = prepare(seen, about, batch);
      const state = store.write(doing, threadId, seen, (thread) => {
        store.putParts(threadId, thread, batch.parts);
        return write(thread);
      });
      if (state === undefined) continue;
      known.of(state.thread, ns).learnAll(batch.batches, state.generation);
      return;
    }
    throw new SaverError("locked", `${doing}: other connections keep changing this thread`);
  }
}
