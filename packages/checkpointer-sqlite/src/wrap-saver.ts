import { randomUUID } from "node:crypto";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type Types, type WriteHooks } from "@threadkeep/serde";
import { ASIDE, offerAdoption, restoreSends, TASKS } from "@threadkeep/serde/policy";
import { requireCheckpoint, requireRecord, requireWrites } from "./check-arguments.ts";
import { checkOptions } from "./check-options.ts";
import {
  type Address,
  checkText,
  type ConfigLike,
  findAddress,
  readAddress,
  readCheckpointAddress,
  requireConfig,
  requireId,
} from "./config.ts";
import { SaverError } from "./errors.ts";
import { AdoptedHosts } from "./harden/adopted-hosts.ts";
import { offerThreadEnds, ThreadEnds } from "./harden/thread-ends.ts";
import { kindOf } from "./kind-of.ts";
import { readListing } from "./list-checkpoints.ts";
import { placeIn, placing } from "./load-error.ts";
import { namingOwner } from "./name-owner.ts";
import { nextVersion } from "./next-version.ts";
import {
  type AnySaver,
  isThreadkeepSaver,
  SAVER_BRAND,
  type SaverHooks,
  type StoredAt,
  type ThreadkeepSaver,
} from "./saver-protocol.ts";
import { seal, unseal } from "./sealed-text.ts";
import { SealedVersions } from "./sealed-versions.ts";

/** Options of {@link wrapSaver}. */
export interface WrapSaverOptions {
  /** @defaultValue a `MsgpackSerializer` in strict mode */
  readonly serializer?: MsgpackSerializer;
}

/**
 * Any LangGraph saver, with values kept exactly: each one travels sealed as our payload in text, so
 * the saver and its own serializer only ever see strings. Metadata stays as it is.
 *
 * Rows that the saver wrote without the wrapper still load.
 *
 * @throws {@link SaverError} `unsupported` when the saver is one of this package, or no saver
 *
 * @example
 * ```ts
 * const graph = builder.compile({ checkpointer: wrapSaver(new MemorySaver()) });
 * ```
 */
export function wrapSaver(saver: AnySaver, options: WrapSaverOptions = {}): ThreadkeepSaver {
  if (isThreadkeepSaver(saver)) {
    throw new SaverError(
      "unsupported",
      "This saver keeps values exactly already; it needs no wrapper",
    );
  }
  if (typeof saver?.getTuple !== "function" || typeof saver.putWrites !== "function") {
    throw new SaverError("unsupported", "wrapSaver takes a LangGraph checkpoint saver");
  }
  checkOptions("wrapSaver", options, ["serializer"], { serde: "serializer" });
  const { serializer = new MsgpackSerializer() } = options;
  if (!MsgpackSerializer.is(serializer)) {
    throw new SaverError(
      "invalid_options",
      `wrapSaver's option serializer must be a MsgpackSerializer, not ${kindOf(serializer)}`,
    );
  }
  return new WrappedSaver(saver as BaseCheckpointSaver, serializer);
}

/** Names that every object of JavaScript has: savers that keep threads in objects refuse them. */
const EVERY_OBJECTS = new Set(["__proto__", "constructor", "prototype"]);

function requireUsable(ids: { readonly [name in keyof Address]?: string | undefined }): void {
  const { threadId, ns, checkpointId } = ids;
  for (const [name, id] of Object.entries({ threadId, ns, checkpointId })) {
    if (id === undefined || !EVERY_OBJECTS.has(id)) continue;
    throw new SaverError(
      "invalid_config",
      `${name} is ${JSON.stringify(id)}, which not every saver can keep; take another`,
    );
  }
}

class WrappedSaver extends BaseCheckpointSaver implements ThreadkeepSaver {
  readonly #saver: BaseCheckpointSaver;
  readonly #serializer: MsgpackSerializer;
  readonly #adopted = new AdoptedHosts(this);
  readonly #versions = new SealedVersions();

  constructor(saver: BaseCheckpointSaver, serializer: MsgpackSerializer) {
    super(serializer);
    this.#saver = saver;
    this.#serializer = serializer;
    Object.defineProperty(this, SAVER_BRAND, { value: true });
    offerAdoption(this, (host) => this.#adopted.adopt(host));
    offerThreadEnds(this, ThreadEnds.of(saver));
  }

  withAllowlist(types: Types): ThreadkeepSaver {
    const serializer = this.#serializer.withAllowlist(types);
    return serializer === this.#serializer ? this : new WrappedSaver(this.#saver, serializer);
  }

  override async getTuple(
    config: RunnableConfig,
    live?: Readonly<Record<string, unknown>>,
  ): Promise<CheckpointTuple | undefined> {
    const view = live === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.getTuple(config);
    requireConfig(config);
    const address = findAddress(config as ConfigLike);
    if (address !== undefined) requireUsable(address);
    const tuple = await this.#saver.getTuple(config);
    return tuple === undefined ? undefined : this.#open(tuple, live ?? {});
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    requireConfig(config);
    if (options !== undefined) requireRecord("The options of list", options);
    requireUsable(readListing(config as ConfigLike, options?.before as ConfigLike | undefined));
    for await (const tuple of this.#saver.list(config, options)) yield this.#open(tuple, {});
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
    hooks?: WriteHooks,
  ): Promise<RunnableConfig> {
    const view = hooks === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.put(config, checkpoint, metadata, newVersions);
    const address = readAddress(config as ConfigLike);
    const { threadId, ns } = address;
    requireUsable(address);
    requireCheckpoint(checkpoint, newVersions);
    requireUsable({ checkpointId: requireId("checkpoint.id", checkpoint.id) });
    const values = Object.entries(checkpoint.channel_values)
      .filter(([, value]) => value !== undefined)
      .map(([channel, value]): [string, string] => [
        channel,
        seal(this.#serializer, value, { ...hooks, at: [channel] }),
      ]);
    const sealed = {
      ...checkpoint,
      channel_values: Object.fromEntries(values) as Record<string, unknown>,
    };
    const plain = this.#plain(metadata, hooks);
    const fresh = values.filter(([channel]) => Object.hasOwn(newVersions, channel));
    const forget = this.#versions.note({ threadId, ns }, fresh, newVersions);
    try {
      return await this.#saver.put(config, sealed, plain, newVersions);
    } catch (error) {
      forget();
      throw error;
    }
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
    hooks?: SaverHooks,
  ): Promise<void> {
    const view = hooks === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.putWrites(config, writes, taskId, taskPath);
    const place = readCheckpointAddress(config as ConfigLike);
    const { ns } = place;
    requireUsable(place);
    requireWrites(writes);
    const sealed = writes.map(([channel, value]): PendingWrite => [
      checkText("channel", channel),
      namingOwner(taskPath ?? "", () => seal(this.#serializer, value, { ...hooks, at: [channel] })),
    ]);
    const address = { ...config, configurable: { ...config.configurable, checkpoint_ns: ns } };
    if (hooks?.aside !== undefined) {
      const value = seal(this.#serializer, hooks.aside, { ...hooks, at: [ASIDE] });
      await this.#saver.putWrites(address, [[ASIDE, value]], randomUUID(), taskPath);
    }
    await this.#saver.putWrites(address, sealed, requireId("taskId", taskId), taskPath);
  }

  holds(at: StoredAt, value: unknown, hooks: WriteHooks): boolean {
    return this.#versions.holds(at, () => seal(this.#serializer, value, hooks));
  }

  override async deleteThread(threadId: string): Promise<void> {
    requireUsable({ threadId: requireId("threadId", threadId) });
    await this.#saver.deleteThread(threadId);
    await ThreadEnds.of(this.#saver).dispose(threadId);
  }

  override getNextVersion(current: number | undefined): number {
    return nextVersion(current);
  }

  override toJSON(): string {
    return "[WrappedSaver]";
  }

  #open(tuple: CheckpointTuple, live: Readonly<Record<string, unknown>>): CheckpointTuple {
    const { checkpoint, pendingWrites = [] } = tuple;
    this.#note(tuple);
    const opening = (channel: string, value: unknown): unknown =>
      placing(
        () => placeIn(tuple, channel),
        () => unseal(this.#serializer, value),
      );
    const values = Object.fromEntries(
      Object.entries(checkpoint.channel_values).map(([channel, value]) => [
        channel,
        opening(channel, value),
      ]),
    );
    const opened = {
      ...tuple,
      checkpoint: {
        ...checkpoint,
        channel_values: values,
        channel_versions: { ...checkpoint.channel_versions },
      },
      pendingWrites: pendingWrites.map(([taskId, channel, value]): [string, string, unknown] => [
        taskId,
        channel,
        opening(channel, value),
      ]),
    };
    placing(
      () => placeIn(tuple, TASKS),
      () => restoreSends(opened, live),
    );
    return opened;
  }

  #note({ config, checkpoint }: CheckpointTuple): void {
    const { thread_id: threadId, checkpoint_ns: ns = "" } = config.configurable ?? {};
    if (typeof threadId !== "string" || typeof ns !== "string") return;
    const sealed = Object.entries(checkpoint.channel_values).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    this.#versions.note({ threadId, ns }, sealed, checkpoint.channel_versions);
  }

  /** Metadata stays readable for the saver's own filters; live objects are left out of it too. */
  #plain(metadata: CheckpointMetadata, hooks: WriteHooks | undefined): CheckpointMetadata {
    const { tag, bytes } = this.#serializer.write(metadata, { ...hooks, at: ["metadata"] });
    return this.#serializer.read(tag, bytes) as CheckpointMetadata;
  }
}
