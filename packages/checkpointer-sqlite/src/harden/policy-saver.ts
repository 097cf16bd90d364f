import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer, WriteHooks } from "@threadkeep/serde";
import {
  ASIDE,
  offerAdoption,
  type ResourceHost,
  sendsIn,
  type StatePolicy,
  storeSends,
  stripValues,
  stripWrites,
} from "@threadkeep/serde/policy";
import { type ConfigLike, requireConfig } from "../config.ts";
import { isNestedBelow, TASKS } from "../langgraph.ts";
import { sameStep } from "../next-version.ts";
import type { AnySaver, ThreadkeepSaver } from "../saver-protocol.ts";
import { forward } from "./forward.ts";
import type { KnownCheckpoint, KnownCheckpoints } from "./known-checkpoints.ts";
import type { ViewRules } from "./hardening.ts";
import { endWithThreads } from "./thread-ends.ts";
import { assertNoData } from "./resource-hosts.ts";
import { Aside, nearValues, nearWrites, type SaverCall, ValueBytes } from "./nearby.ts";

/** What a graph's view of a saver is made of. */
export interface PolicyView {
  /** The saver that the graph was given. */
  readonly base: AnySaver;
  /** The saver as it is now: it may come to know more types. */
  saver(): ThreadkeepSaver;
  /** They may grow too. */
  readonly rules: ViewRules;
  /** Namespace in which the graph runs; graphs that it runs inside of its nodes have longer ones. */
  readonly ns: string;
}

/** A graph's own view of a saver: nothing untracked gets in, live objects of the thread come out. */
export class PolicySaver extends BaseCheckpointSaver {
  readonly #view: PolicyView;
  readonly #known: KnownCheckpoints;
  /** Hosts of graphs inside of its nodes that are not hardened themselves. */
  readonly #adopted = new Set<ResourceHost>();

  constructor(view: PolicyView, known: KnownCheckpoints) {
    super(view.saver().serde);
    this.#view = view;
    this.#known = known;
    Object.defineProperty(this, BRAND, { value: true });
    Object.defineProperty(this, "serde", { get: () => this.saver.serde, enumerable: true });
    offerAdoption(this, (host) => {
      this.#adopted.add(host);
      endWithThreads(view.saver(), host);
    });
    forward(this, view.saver);
  }

  /** Whether a saver is a graph's view, also of another copy of this package. */
  static is(saver: unknown): saver is PolicySaver {
    return typeof saver === "object" && saver !== null && BRAND in saver;
  }

  /** The saver that the graph was given. */
  get base(): AnySaver {
    return this.#view.base;
  }

  /** The saver behind the view. */
  get saver(): ThreadkeepSaver {
    return this.#view.saver();
  }

  /** What the graph keeps out of the saver. */
  get policy(): StatePolicy {
    return this.#view.rules.policy;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    requireConfig(config);
    const { scan, check } = this.#view.rules;
    const stored = await this.saver.getTuple(config, this.#liveOf(config));
    if (stored === undefined) return undefined;
    // What is stored is what the places of later Sends are filled from.
    const written = (stored.pendingWrites ?? [])
      .filter(([, channel]) => !Object.hasOwn(WRITES_IDX_MAP, channel))
      .map(([taskId]) => taskId);
    this.#known.note(stored.config, stored.checkpoint, written, this.#comparesObjects());
    const tuple = this.#upToDate(stored, config);
    if (this.#isOwn(config)) await check?.check(tuple);
    scan?.noteSends(tuple.checkpoint.id, tuple.checkpoint.channel_values[TASKS]);
    return tuple;
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    for await (const tuple of this.saver.list(config, options))
      yield this.#upToDate(tuple, tuple.config);
  }

  override put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    requireConfig(config);
    const policy = this.#policyFor(config);
    const call = this.#call(config, policy);
    const { scan, drift } = this.#view.rules;
    const own = { ...checkpoint, channel_values: stripValues(checkpoint.channel_values, policy) };
    const [present, fresh] =
      this.#isOwn(config) && drift !== undefined
        ? drift.toStore(config, own, newVersions)
        : [own, newVersions];
    const stored = { ...present, channel_versions: { ...present.channel_versions } };
    const versions = { ...fresh };
    scan?.noteSends(checkpoint.id, stored.channel_values[TASKS]);
    if (sendsIn(stored.channel_values[TASKS]).length > 0)
      this.#placeSends(stored, versions, call, policy);
    else this.#endSends(config, stored, versions);
    const address = addressOf(config, checkpoint.id);
    this.#known.note(address, stored, [], this.#comparesObjects());
    return this.saver.put(config, stored, metadata, versions, call.hooks);
  }

  override putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    requireConfig(config);
    const policy = this.#policyFor(config);
    const call = this.#call(config, policy);
    if (this.#isOwn(config)) assertNoData(writes, this.#hosts(), policy);
    const kept = stripWrites(writes, policy);
    const known = this.#known.find(config);
    const [stored, aside] = this.#placeWrites(kept, taskId, known, call, policy);
    const { scan, drift } = this.#view.rules;
    scan?.check({ config, taskPath, writes: stored }, this.saver.serde, call.hooks);
    if (stored.some(([channel]) => !Object.hasOwn(WRITES_IDX_MAP, channel)))
      known?.written.add(taskId);
    const hooks = aside === undefined ? call.hooks : { ...call.hooks, aside };
    const marked = this.#isOwn(config) ? drift?.writesToStore(config, stored) : undefined;
    return this.saver.putWrites(config, marked ?? stored, taskId, taskPath, hooks);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.saver.deleteThread(threadId);
  }

  override getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    return this.saver.getDeltaChannelHistory(options);
  }

  /** LangGraph calls it apart from its saver. */
  override getNextVersion = (current: number | undefined): number =>
    this.saver.getNextVersion(current);

  /** Writes whose Sends say where what they lack lies, and what has to be stored beside them. */
  #placeWrites(
    writes: PendingWrite[],
    taskId: string,
    known: KnownCheckpoint | undefined,
    call: SaverCall,
    policy: StatePolicy,
  ): readonly [stored: PendingWrite[], aside?: Aside["entries"]] {
    if (!writes.some(([channel]) => channel === TASKS)) return [writes];
    const bytes = this.#bytes(call);
    const aside = new Aside(bytes, "writes");
    const nearby = nearWrites(call, writes, taskId, known, bytes, aside);
    const stored = writes.map(([channel, value]): PendingWrite =>
      channel === TASKS ? [channel, storeSends(value, policy, nearby)] : [channel, value],
    );
    return aside.isEmpty ? [stored] : [stored, aside.entries];
  }

  /**
   * The checkpoint's Sends without what lies elsewhere. They say where it lies in this checkpoint,
   * and so are stored with it under a version of their own, also where the same Sends were stored
   * before: since then a channel may have moved on.
   */
  #placeSends(
    checkpoint: Checkpoint,
    newVersions: ChannelVersions,
    call: SaverCall,
    policy: StatePolicy,
  ): void {
    const { channel_values: values, channel_versions: versions } = checkpoint;
    const bytes = this.#bytes(call);
    const aside = new Aside(bytes, "checkpoint");
    const nearby = nearValues(call, values, versions, newVersions, bytes, aside);
    values[TASKS] = storeSends(values[TASKS], policy, nearby);
    const version = newVersions[TASKS] ?? sameStep(versions[TASKS]);
    versions[TASKS] = version;
    newVersions[TASKS] = version;
    if (aside.isEmpty) return;
    values[ASIDE] = aside.entries;
    versions[ASIDE] = version;
    newVersions[ASIDE] = version;
  }

  /**
   * Before LangGraph 1.5, `updateState` takes the Sends out of a checkpoint and leaves their version,
   * under which a saver would find them again.
   */
  #endSends(
    parent: ConfigLike,
    { channel_versions: versions }: Checkpoint,
    newVersions: ChannelVersions,
  ): void {
    const version = versions[TASKS];
    if (version === undefined || TASKS in newVersions) return;
    const known = this.#known.find(parent);
    if (known?.versions[TASKS] !== version || !known.hasSends) return;
    versions[TASKS] = sameStep(version);
    newVersions[TASKS] = versions[TASKS];
  }

  /** A saver that shares parts compares bytes, whatever became of the objects since. */
  #comparesObjects(): boolean {
    return this.saver.sharesParts !== true;
  }

  #call(config: ConfigLike, { untracked, data, live }: StatePolicy): SaverCall {
    const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
    // Where nothing can be live the writer need not ask.
    const asks = !live.isEmpty || [...untracked].some((name) => !data.has(name));
    const hooks: WriteHooks = asks ? { omit: live.omit } : {};
    return { saver: this.saver, threadId, ns, hooks };
  }

  #bytes({ hooks }: SaverCall): ValueBytes {
    return new ValueBytes(this.saver.serde as MsgpackSerializer, hooks);
  }

  /**
   * The graph's own policy for its own checkpoints. A graph inside of its nodes may use the same
   * names for other things: for one that is not hardened itself only the live objects are known.
   */
  #policyFor(config: ConfigLike): StatePolicy {
    const { policy } = this.#view.rules;
    const isOwn = this.#isOwn(config);
    if (isOwn && this.#adopted.size === 0) return policy;
    const names = isOwn ? policy : { untracked: NONE, private: NONE };
    const objects = this.#liveOf(config);
    for (const object of Object.values(objects)) policy.live.add(object);
    return {
      untracked: new Set([...names.untracked, ...Object.keys(objects)]),
      private: names.private,
      data: policy.data,
      live: policy.live,
    };
  }

  /** Whether a checkpoint is of the graph itself, and not of one inside of its nodes. */
  #isOwn({ configurable }: ConfigLike): boolean {
    const ns = configurable?.checkpoint_ns;
    return typeof ns !== "string" || !isNestedBelow(ns, this.#view.ns);
  }

  #upToDate(tuple: CheckpointTuple, config: ConfigLike): CheckpointTuple {
    const { drift } = this.#view.rules;
    if (drift === undefined || !this.#isOwn(config)) return tuple;
    return drift.upToDate(tuple, (current) => this.getNextVersion(current as number | undefined));
  }

  #liveOf(config: ConfigLike): Readonly<Record<string, unknown>> {
    const threadId = config.configurable?.thread_id;
    const hosts = this.#hosts();
    if (typeof threadId !== "string" || hosts.length === 0) return {};
    const objects = hosts.map((host) => host.peek(threadId));
    return Object.assign({}, ...objects) as Record<string, unknown>;
  }

  #hosts(): readonly ResourceHost[] {
    if (this.#adopted.size === 0) return this.#view.rules.hosts;
    return [...new Set([...this.#view.rules.hosts, ...this.#adopted])];
  }
}

const BRAND = Symbol.for("threadkeep.policy-saver");
const NONE: ReadonlySet<string> = new Set();

function addressOf(config: ConfigLike, checkpointId: string): ConfigLike {
  return { configurable: { ...config.configurable, checkpoint_id: checkpointId } };
}
