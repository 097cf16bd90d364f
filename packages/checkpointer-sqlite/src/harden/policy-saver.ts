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
} from "@langchain/langgraph-checkpoint";
import type { WriteHooks } from "@threadkeep/serde";
import {
  ASIDE,
  isSameInPlace,
  type Nearby,
  offerAdoption,
  type ResourceHost,
  type StatePolicy,
  storeSends,
  stripValues,
  stripWrites,
  TASKS,
} from "@threadkeep/serde/policy";
import type { ConfigLike } from "../config.ts";
import type { StateCheck } from "../drift/state-check.ts";
import type { StateDrift } from "../drift/state-drift.ts";
import { isNestedBelow } from "../langgraph.ts";
import type { ThreadkeepSaver } from "../saver-protocol.ts";
import type { StateScan } from "./state-scan.ts";
import type { StoredValues } from "./stored-values.ts";

/** What a graph's view of a saver is made of. */
export interface PolicyView {
  readonly saver: ThreadkeepSaver;
  readonly policy: StatePolicy;
  readonly hosts: readonly ResourceHost[];
  /** Namespace in which the graph runs; graphs that it runs inside of its nodes have longer ones. */
  readonly ns: string;
  /** Looks at what nodes write, before it is stored. */
  readonly scan?: StateScan | undefined;
  /** Takes the graph's own checkpoints from the version that they were stored in to the present one. */
  readonly drift?: StateDrift | undefined;
  /** Checks them by the graph's schemas. */
  readonly check?: StateCheck | undefined;
}

/** A graph's own view of a saver: nothing untracked gets in, live objects of the thread come out. */
export class PolicySaver extends BaseCheckpointSaver {
  readonly saver: ThreadkeepSaver;
  readonly #view: PolicyView;
  readonly #hooks: WriteHooks;
  readonly #stored: StoredValues;
  /** Those of the graph, and of graphs inside of its nodes that are not hardened themselves. */
  readonly #hosts: Set<ResourceHost>;

  constructor(view: PolicyView, stored: StoredValues) {
    super(view.saver.serde);
    this.saver = view.saver;
    this.#view = view;
    this.#stored = stored;
    this.#hosts = new Set(view.hosts);
    const { live } = view.policy;
    this.#hooks = { omit: (value) => live.has(value) };
    Object.defineProperty(this, BRAND, { value: true });
    offerAdoption(this, (host) => this.#hosts.add(host));
  }

  /** Whether a saver is a graph's view, also of another copy of this package. */
  static is(saver: unknown): saver is PolicySaver {
    return typeof saver === "object" && saver !== null && BRAND in saver;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const live = this.#liveOf(config);
    const stored = await this.saver.getTuple(config, live);
    if (stored === undefined) return undefined;
    const tuple = this.#upToDate(stored, config);
    if (this.#isOwn(config)) await this.#view.check?.check(tuple);
    this.#view.scan?.noteSends(tuple.checkpoint.id, tuple.checkpoint.channel_values[TASKS]);
    this.#stored.note(
      tuple.config,
      // What is stored is what a Send's place is filled from.
      stored.checkpoint.channel_values,
      this.#policyFor(config).private,
    );
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
    const policy = this.#policyFor(config);
    const values = stripValues(checkpoint.channel_values, policy);
    this.#view.scan?.noteSends(checkpoint.id, values[TASKS]);
    if (values[TASKS] !== undefined) {
      const aside: unknown[] = [];
      values[TASKS] = storeSends(values[TASKS], policy, this.#nearValues(values), aside);
      if (aside.length > 0) values[ASIDE] = aside;
    }
    this.#stored.note(addressOf(config, checkpoint.id), values, policy.private);
    const drift = this.#isOwn(config) ? this.#view.drift : undefined;
    const own = { ...checkpoint, channel_values: values };
    const [stored, versions] = drift?.toStore(config, own, newVersions) ?? [own, newVersions];
    return this.saver.put(config, stored, metadata, versions, this.#hooks);
  }

  override putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const policy = this.#policyFor(config);
    const kept = stripWrites(writes, policy);
    const aside: unknown[] = [];
    const nearby = this.#nearWrites(config, kept);
    const stored = kept.map(([channel, value]): PendingWrite =>
      channel === TASKS ? [channel, storeSends(value, policy, nearby, aside)] : [channel, value],
    );
    // Last, so that every other write keeps its place.
    if (aside.length > 0) stored.push([ASIDE, aside]);
    const { scan } = this.#view;
    scan?.check({ config, taskPath, writes: stored }, this.saver.serde, this.#hooks);
    const drift = this.#isOwn(config) ? this.#view.drift : undefined;
    const marked = drift?.writesToStore(config, stored) ?? stored;
    return this.saver.putWrites(config, marked, taskId, taskPath, this.#hooks);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.saver.deleteThread(threadId);
    for (const host of this.#hosts) await host.dispose(threadId);
  }

  override getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    return this.saver.getDeltaChannelHistory(options);
  }

  override getNextVersion(current: number | undefined): number {
    return this.saver.getNextVersion(current);
  }

  /**
   * The graph's own policy for its own checkpoints. A graph inside of its nodes may use the same
   * names for other things: for one that is not hardened itself only the live objects are known.
   */
  #policyFor(config: ConfigLike): StatePolicy {
    const { policy } = this.#view;
    const isOwn = this.#isOwn(config);
    if (isOwn && this.#hosts.size === this.#view.hosts.length) return policy;
    const names = isOwn ? policy : { untracked: NONE, private: NONE };
    const objects = this.#liveOf(config);
    for (const object of Object.values(objects)) policy.live.add(object);
    return {
      untracked: new Set([...names.untracked, ...Object.keys(objects)]),
      private: names.private,
      live: policy.live,
    };
  }

  /** Whether a checkpoint is of the graph itself, and not of one inside of its nodes. */
  #isOwn({ configurable }: ConfigLike): boolean {
    const ns = configurable?.checkpoint_ns;
    return typeof ns !== "string" || !isNestedBelow(ns, this.#view.ns);
  }

  #upToDate(tuple: CheckpointTuple, config: ConfigLike): CheckpointTuple {
    const { drift } = this.#view;
    if (drift === undefined || !this.#isOwn(config)) return tuple;
    return drift.upToDate(tuple, (current) => this.getNextVersion(current as number | undefined));
  }

  #liveOf(config: ConfigLike): Readonly<Record<string, unknown>> {
    const threadId = config.configurable?.thread_id;
    if (typeof threadId !== "string" || this.#hosts.size === 0) return {};
    return Object.assign({}, ...[...this.#hosts].map((host) => host.peek(threadId))) as Record<
      string,
      unknown
    >;
  }

  /** In one call channels and Sends are stored as they are now: what is one object stays one. */
  #nearValues(values: Readonly<Record<string, unknown>>): Nearby {
    return {
      isInWrite: () => false,
      isInChannel: (key, value, isPrivate) =>
        Object.hasOwn(values, key) &&
        (isSameInPlace(value, values[key]) ||
          (isPrivate && this.#stored.isSame(value, values[key]))),
    };
  }

  /** Writes belong to a checkpoint that was stored before: what it holds is compared with its bytes. */
  #nearWrites(config: ConfigLike, writes: readonly (readonly [string, unknown])[]): Nearby {
    return {
      isInWrite: (key, value) => {
        const own = writes.filter(([channel]) => channel === key);
        return own.length === 1 && this.#stored.isSame(value, own[0]?.[1]);
      },
      isInChannel: (key, value, isPrivate) => isPrivate && this.#stored.holds(config, key, value),
    };
  }
}

const BRAND = Symbol.for("threadkeep.policy-saver");
const NONE: ReadonlySet<string> = new Set();

function addressOf(config: ConfigLike, checkpointId: string): ConfigLike {
  return { configurable: { ...config.configurable, checkpoint_id: checkpointId } };
}
