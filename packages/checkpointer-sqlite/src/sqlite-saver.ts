import { createRequire } from "node:module";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type Types, type WriteHooks } from "@threadkeep/serde";
import { offerAdoption, restoreSends } from "@threadkeep/serde/policy";
import { isDeepStrictEqual } from "node:util";
import {
  type ConfigLike,
  findAddress,
  readAddress,
  readCheckpointAddress,
  requireId,
  toConfig,
  checkText,
} from "./config.ts";
import { guarded, type SqliteDatabase } from "./database.ts";
import { SaverError } from "./errors.ts";
import { AdoptedHosts } from "./harden/adopted-hosts.ts";
import { SAVER_BRAND, type ThreadkeepSaver } from "./saver-protocol.ts";
import { nextVersion, type ChannelVersion } from "./next-version.ts";
import {
  CheckpointStore,
  type Encoded,
  type Listing,
  type StoredCheckpoint,
} from "./store/checkpoint-store.ts";
import { dumpHeader, headerFields, loadHeader } from "./store/header.ts";
import type { CheckpointRow, RootRow } from "./store/statements.ts";
import { type ValueCodec, valueCodec } from "./value-codec.ts";

/** Options of {@link SqliteSaver.fromConnString}. */
export interface SqliteSaverOptions {
  /** @defaultValue a `MsgpackSerializer` in strict mode */
  readonly serde?: SerializerProtocol;
  /** How long a call waits for another process's write, in milliseconds. @defaultValue 5000 */
  readonly busyTimeoutMs?: number;
}

/** How many checkpoints a listing reads at once. */
const PAGE = 32;

/**
 * A LangGraph checkpoint saver in one SQLite file. Large parts of a state are stored once per
 * thread, so a step costs what it changed.
 *
 * @throws {@link SaverError} with a `code` for everything the database or a config can do wrong;
 * `SerdeError` when a value can't be stored. A failed write leaves what was stored as it was.
 *
 * @example
 * ```ts
 * const graph = builder.compile({ checkpointer: SqliteSaver.fromConnString("agent.db") });
 * await graph.invoke(input, { configurable: { thread_id: "42" } });
 * ```
 */
export class SqliteSaver extends BaseCheckpointSaver implements ThreadkeepSaver {
  readonly #store: CheckpointStore;
  readonly #values: ValueCodec;
  readonly #own = new MsgpackSerializer();
  readonly #lifetime: { closed: boolean };
  readonly #adopted = new AdoptedHosts(this);

  /**
   * @param db an open database: `better-sqlite3`, `node:sqlite`'s `DatabaseSync`, or the like
   * @param serde any LangGraph serializer. Only a `MsgpackSerializer` shares what checkpoints have in common
   */
  constructor(
    db: SqliteDatabase | CheckpointStore,
    serde: SerializerProtocol = new MsgpackSerializer(),
    lifetime: { closed: boolean } = { closed: false },
  ) {
    super(serde);
    this.#store = db instanceof CheckpointStore ? db : new CheckpointStore(db);
    this.#values = valueCodec(serde);
    this.#lifetime = lifetime;
    Object.defineProperty(this, SAVER_BRAND, { value: true });
    offerAdoption(this, (host) => this.#adopted.adopt(host));
  }

  /**
   * Open or create a database file with `better-sqlite3`. `":memory:"` gives one that ends with the
   * process.
   *
   * @throws {@link SaverError} `driver_missing`, `cannot_open`, `not_a_database`, `newer_schema`
   */
  static fromConnString(path: string, options: SqliteSaverOptions = {}): SqliteSaver {
    const { serde, busyTimeoutMs = 5000 } = options;
    if (typeof path !== "string" || path === "")
      throw new SaverError("invalid_options", "fromConnString needs the path of a file");
    if (!(Number.isSafeInteger(busyTimeoutMs) && busyTimeoutMs >= 0)) {
      throw new SaverError("invalid_options", "busyTimeoutMs must be a number of milliseconds");
    }
    const Database = loadDriver();
    return guarded(`Opening ${path}`, () => {
      const db = new Database(path, { timeout: busyTimeoutMs });
      try {
        useWriteAheadLog(db);
        return new SqliteSaver(db, serde);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  }

  /** A saver on the same database that knows more types; this same one when there is nothing new. */
  withAllowlist(types: Types): SqliteSaver {
    if (!MsgpackSerializer.is(this.serde)) {
      throw new SaverError(
        "unsupported",
        "Types need a MsgpackSerializer; this saver was given another serializer",
      );
    }
    const serde = this.serde.withAllowlist(types);
    return serde === this.serde ? this : new SqliteSaver(this.#store, serde, this.#lifetime);
  }

  /** Close the database. Calls after that throw `closed`; closing twice does nothing. */
  async close(): Promise<void> {
    if (this.#lifetime.closed) return;
    this.#lifetime.closed = true;
    this.#store.close();
  }

  override async getTuple(
    config: RunnableConfig,
    live?: Readonly<Record<string, unknown>>,
  ): Promise<CheckpointTuple | undefined> {
    const view = live === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.getTuple(config);
    this.#assertOpen();
    const address = findAddress(config as ConfigLike);
    if (address === undefined) return undefined;
    const tuple = await this.#store.reading(() => {
      const stored = this.#store.get(address.threadId, address.ns, address.checkpointId);
      return stored === undefined ? undefined : this.#tuple(stored);
    });
    if (tuple !== undefined) restoreSends(tuple, live ?? {});
    return tuple;
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    this.#assertOpen();
    const listing = readListing(config as ConfigLike, options.before as ConfigLike | undefined);
    const filter = Object.entries(options.filter ?? {}).filter(([, value]) => value !== undefined);
    let left = readLimit(options.limit);
    let last: CheckpointRow | undefined;
    while (left > 0) {
      const rows = guarded("Listing checkpoints", () =>
        this.#store.page(listing, last, Math.min(PAGE, left)),
      );
      if (rows.length === 0) return;
      for (const row of rows) {
        last = row;
        const metadata = (await this.#load(row, "metadata", {
          tag: row.metadata_tag,
          root: row.metadata,
        })) as Record<string, unknown>;
        if (
          !filter.every(
            ([key, value]) =>
              Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
          )
        )
          continue;
        const tuple = await this.#store.reading(() =>
          this.#tuple({ row, writes: this.#store.writes(row, row.checkpoint_id) }),
        );
        restoreSends(tuple, {});
        yield tuple;
        if (--left === 0) return;
      }
    }
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
    this.#assertOpen();
    const { threadId, ns, checkpointId: parentId } = readAddress(config as ConfigLike);
    const checkpointId = requireId("checkpoint.id", checkpoint.id);
    const values = Object.entries(checkpoint.channel_values).filter(
      ([, value]) => value !== undefined,
    );
    // Everything is read from the caller's objects before the first await: they may change after it.
    const fields = structuredClone(headerFields(checkpoint));
    const dumped = values.map(([channel, value]) => {
      const version = fields.channel_versions[channel];
      const isNew =
        version === undefined || Object.hasOwn(newVersions, channel) || this.#values.isAsync;
      return [
        channel,
        version,
        isNew ? this.#values.dump(value, { ...hooks, at: [channel] }) : undefined,
      ] as const;
    });
    const dumpedMetadata = this.#values.dumpWhole(metadata, { ...hooks, at: ["metadata"] });
    const channels = new Map<
      string,
      { version: ChannelVersion | undefined; value: Encoded | undefined }
    >();
    for (const [channel, version, value] of dumped) {
      channels.set(channel, { version, value: isPromise(value) ? await value : value });
    }
    const encodedMetadata = isPromise(dumpedMetadata) ? await dumpedMetadata : dumpedMetadata;
    this.#store.put(
      { threadId, ns, checkpointId, parentId },
      channels,
      (channel) =>
        this.#values.dump(checkpoint.channel_values[channel], {
          ...hooks,
          at: [channel],
        }) as Encoded,
      (versioned, own) => dumpHeader({ fields, versioned, own }, this.#own),
      encodedMetadata,
    );
    return toConfig(threadId, ns, checkpointId);
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
    hooks?: WriteHooks,
  ): Promise<void> {
    const view = hooks === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.putWrites(config, writes, taskId, taskPath);
    this.#assertOpen();
    const { threadId, ns, checkpointId } = readCheckpointAddress(config as ConfigLike);
    requireId("taskId", taskId);
    checkText("taskPath", taskPath);
    const dumped = writes.map(([channel, value], i) => ({
      idx: WRITES_IDX_MAP[channel] ?? i,
      channel: checkText("channel", channel),
      value: this.#values.dump(value, { ...hooks, at: [channel] }),
    }));
    const ready = [];
    for (const write of dumped)
      ready.push({ ...write, value: isPromise(write.value) ? await write.value : write.value });
    if (ready.length === 0) return;
    this.#store.putWrites({ threadId, ns, checkpointId }, taskId, taskPath, ready);
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#assertOpen();
    this.#store.deleteThread(requireId("threadId", threadId));
    await this.#adopted.dispose(threadId);
  }

  /** The next version of a channel; with a random fraction, so that two branches never share one. */
  override getNextVersion(current: number | undefined): number {
    return nextVersion(current);
  }

  #tuple({ row, writes }: StoredCheckpoint): Promise<CheckpointTuple> | CheckpointTuple {
    const { fields, versioned, own } = this.#named(row, "header", () =>
      loadHeader(row.header, this.#own),
    );
    const roots: [string, RootRow][] = [
      ...versioned.map(
        (channel) =>
          [
            channel,
            this.#channelRoot(row, channel, fields.channel_versions[channel] as ChannelVersion),
          ] as [string, RootRow],
      ),
      ...Object.entries(own),
    ];
    const values = roots.map(
      ([channel, root]) => [channel, this.#load(row, channel, root)] as const,
    );
    const pending = writes.map(
      (write) => [write.task_id, write.channel, this.#load(row, write.channel, write)] as const,
    );
    const metadata = this.#load(row, "metadata", { tag: row.metadata_tag, root: row.metadata });
    const sends = needsSends(fields, row) ? this.#parentSends(row) : undefined;
    return this.#assemble(row, fields, values, pending, metadata, sends);
  }

  async #assemble(
    row: CheckpointRow,
    fields: Readonly<Record<string, unknown>>,
    values: readonly (readonly [string, unknown])[],
    pending: readonly (readonly [string, string, unknown])[],
    metadata: unknown,
    sends: readonly unknown[] | undefined,
  ): Promise<CheckpointTuple> {
    const channelValues: Record<string, unknown> = {};
    for (const [channel, value] of values) {
      Object.defineProperty(channelValues, channel, {
        value: await value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    const pendingWrites: CheckpointPendingWrite[] = [];
    for (const [taskId, channel, value] of pending)
      pendingWrites.push([taskId, channel, await value]);
    const checkpoint = { ...fields, channel_values: channelValues } as unknown as Checkpoint;
    if (sends !== undefined) await this.#migrateSends(checkpoint, sends);
    const tuple: CheckpointTuple = {
      config: toConfig(row.thread_id, row.ns, row.checkpoint_id),
      checkpoint,
      metadata: (await metadata) as CheckpointMetadata,
      pendingWrites,
    };
    if (row.parent_id !== null) tuple.parentConfig = toConfig(row.thread_id, row.ns, row.parent_id);
    return tuple;
  }

  /** Before format 4 a checkpoint's Sends lay among its parent's writes. */
  #parentSends(row: CheckpointRow): readonly unknown[] {
    return this.#store
      .channelWrites(row, row.parent_id as string, TASKS)
      .map((write) => this.#load(row, TASKS, write));
  }

  async #migrateSends(checkpoint: Checkpoint, sends: readonly unknown[]): Promise<void> {
    checkpoint.channel_values[TASKS] = await Promise.all(sends);
    const versions = Object.values(checkpoint.channel_versions) as ChannelVersion[];
    checkpoint.channel_versions = {
      ...checkpoint.channel_versions,
      [TASKS]:
        versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined),
    };
  }

  #channelRoot(row: CheckpointRow, channel: string, version: ChannelVersion): RootRow {
    const root = this.#store.channel(row, channel, version);
    if (root === undefined) throw corrupt(row, channel, "its value is missing");
    return root;
  }

  /** A stored value; a promise with a serializer that is not ours. */
  #load(row: CheckpointRow, channel: string, { tag, root }: RootRow): unknown {
    return this.#named(row, channel, () =>
      this.#values.load(tag, root, (digest) => this.#store.part(row.thread, digest)),
    );
  }

  /** Damage is told with its place; what a serializer refuses is its own to tell. */
  #named<T>(row: CheckpointRow, channel: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (SaverError.is(error)) throw corrupt(row, channel, error.message, error);
      const code = (error as { code?: unknown } | null)?.code;
      if (code === "malformed_payload" || code === "unknown_tag")
        throw corrupt(row, channel, "its bytes are damaged", error);
      throw error;
    }
  }

  #assertOpen(): void {
    if (this.#lifetime.closed) throw new SaverError("closed", "This saver was closed");
  }
}

function corrupt(row: CheckpointRow, channel: string, what: string, cause?: unknown): SaverError {
  return new SaverError(
    "corrupt",
    `Thread ${JSON.stringify(row.thread_id)}, checkpoint ${row.checkpoint_id}, channel ${JSON.stringify(channel)}: ${what}`,
    cause === undefined ? undefined : { cause },
  );
}

function needsSends(fields: Readonly<Record<string, unknown>>, row: CheckpointRow): boolean {
  return typeof fields.v === "number" && fields.v < 4 && row.parent_id !== null;
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}

function readListing(config: ConfigLike, before: ConfigLike | undefined): Listing {
  const read = (source: ConfigLike | undefined, name: string): string | undefined => {
    const value = source?.configurable?.[name];
    return value === undefined || value === null ? undefined : checkText(name, value);
  };
  return {
    threadId: read(config, "thread_id"),
    ns: read(config, "checkpoint_ns"),
    checkpointId: read(config, "checkpoint_id"),
    before: read(before, "checkpoint_id"),
  };
}

function readLimit(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (!(Number.isSafeInteger(limit) && limit >= 0))
    throw new SaverError("invalid_options", "limit must be a number of checkpoints");
  return limit;
}

type Driver = new (path: string, options: { timeout: number }) => SqliteDatabase;

/** Late, so that users of another driver or of `wrapSaver` need no native module. */
function loadDriver(): Driver {
  try {
    return createRequire(import.meta.url)("better-sqlite3") as Driver;
  } catch (cause) {
    throw new SaverError(
      "driver_missing",
      "better-sqlite3 can't be loaded; install it (npm install better-sqlite3), or pass an open database to new SqliteSaver(db)",
      { cause },
    );
  }
}

/** Readers and a writer at once; a read-only file stays as it is. */
function useWriteAheadLog(db: SqliteDatabase): void {
  try {
    db.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith("SQLITE_READONLY")) throw error;
  }
  db.exec("PRAGMA synchronous = NORMAL");
}
