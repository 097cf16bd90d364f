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
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type Types, type WriteHooks } from "@threadkeep/serde";
import { offerAdoption, restoreSends, TASKS } from "@threadkeep/serde/policy";
import { requireRecord } from "./check-arguments.ts";
import { checkMethods, checkOptions } from "./check-options.ts";
import { PLAIN, type StorageCodec } from "./codec.ts";
import { type ConfigLike, findAddress, requireId } from "./config.ts";
import { guarded, type SqliteDatabase } from "./database.ts";
import { deltaChannelHistory } from "./delta-history.ts";
import { SaverError } from "./errors.ts";
import { AdoptedHosts } from "./harden/adopted-hosts.ts";
import { offerThreadEnds, ThreadEnds } from "./harden/thread-ends.ts";
import { listCheckpoints } from "./list-checkpoints.ts";
import { kindOf } from "./kind-of.ts";
import { placeIn, placing } from "./load-error.ts";
import { nextVersion } from "./next-version.ts";
import { openDatabase } from "./open-database.ts";
import { KnownElements } from "./parts/known-elements.ts";
import { CheckpointReader } from "./read-checkpoint.ts";
import {
  SAVER_BRAND,
  type SaverHooks,
  type StoredAt,
  type ThreadkeepSaver,
} from "./saver-protocol.ts";
import { CheckpointStore } from "./store/checkpoint-store.ts";
import { Sealing } from "./store/sealing.ts";
import { valueCodec } from "./value-codec.ts";
import { CheckpointWriter } from "./write-checkpoint.ts";

/** Options of a {@link SqliteSaver} on a database that is open already. */
export interface SqliteStorageOptions {
  /** How stored bytes are sealed; the same for every saver of the file. @defaultValue bytes as they are */
  readonly codec?: StorageCodec;
}

/** Options of {@link SqliteSaver.fromConnString}. */
export interface SqliteSaverOptions extends SqliteStorageOptions {
  /** @defaultValue a `MsgpackSerializer` in strict mode */
  readonly serde?: SerializerProtocol;
  /** How long a call waits for another process's write, in milliseconds. @defaultValue 5000 */
  readonly busyTimeoutMs?: number;
}

/** SQLite takes no longer one. */
const MAX_TIMEOUT = 2 ** 31 - 1;

const KNOWN = ["serde", "busyTimeoutMs", "codec"];
const ELSEWHERE = { serializer: "serde", timeout: "busyTimeoutMs" };
const DATABASE = ["exec", "prepare", "close"];
const SERIALIZER = ["dumpsTyped", "loadsTyped"];
const CODEC = ["seal", "open", "digest"];

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
  readonly #reader: CheckpointReader;
  readonly #writer: CheckpointWriter;
  readonly #adopted = new AdoptedHosts(this);
  readonly sharesParts: boolean = true;

  /**
   * @param db an open database: `better-sqlite3`, `node:sqlite`'s `DatabaseSync`, or the like
   * @param serde any LangGraph serializer. Only a `MsgpackSerializer` shares what checkpoints have in common
   */
  constructor(
    db: SqliteDatabase,
    serde: SerializerProtocol = new MsgpackSerializer(),
    options: SqliteStorageOptions = {},
  ) {
    checkMethods(
      "new SqliteSaver takes an open database (SqliteSaver.fromConnString takes a path): an object",
      db,
      db instanceof CheckpointStore ? [] : DATABASE,
    );
    checkOptions("new SqliteSaver", options, ["codec"]);
    const { codec = PLAIN } = options;
    checkMethods("codec must be an object", codec, CODEC);
    checkMethods("serde must be a LangGraph serializer", serde, SERIALIZER);
    super(serde);
    const store = db instanceof CheckpointStore ? db : new CheckpointStore(db, new Sealing(codec));
    const own = new MsgpackSerializer();
    const known = new KnownElements();
    const values = valueCodec(serde, {
      own,
      shared: known.shared,
      name: (part) => store.sealing.name(part),
    });
    this.#store = store;
    this.#reader = new CheckpointReader({ store, values, own, known });
    this.#writer = new CheckpointWriter({ store, values, own, known });
    Object.defineProperty(this, SAVER_BRAND, { value: true });
    offerAdoption(this, (host) => this.#adopted.adopt(host));
    offerThreadEnds(this, ThreadEnds.of(store));
  }

  /**
   * Open or create a database file with `better-sqlite3`. `":memory:"` gives one that ends with the
   * process.
   *
   * @throws {@link SaverError} `driver_missing`, `cannot_open`, `not_a_database`, `newer_schema`
   */
  static fromConnString(path: string, options: SqliteSaverOptions = {}): SqliteSaver {
    if (typeof path !== "string" || path === "")
      throw new SaverError("invalid_options", "fromConnString needs the path of a file");
    checkOptions("SqliteSaver.fromConnString", options, KNOWN, ELSEWHERE);
    const { serde, busyTimeoutMs = 5000, codec } = options;
    if (
      !(Number.isSafeInteger(busyTimeoutMs) && busyTimeoutMs >= 0 && busyTimeoutMs <= MAX_TIMEOUT)
    ) {
      throw new SaverError(
        "invalid_options",
        `busyTimeoutMs must be a whole number of milliseconds, ${MAX_TIMEOUT} at most`,
      );
    }
    return guarded(`Opening ${path}`, () => {
      const db = openDatabase(path, busyTimeoutMs);
      try {
        return new SqliteSaver(db, serde, codec === undefined ? {} : { codec });
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
    if (serde === this.serde) return this;
    // The constructor knows a store that is open.
    return new SqliteSaver(this.#store as unknown as SqliteDatabase, serde);
  }

  /** Close the database. Calls after that throw `closed`; closing twice does nothing. */
  async close(): Promise<void> {
    this.#store.close();
  }

  override async getTuple(
    config: RunnableConfig,
    live?: Readonly<Record<string, unknown>>,
  ): Promise<CheckpointTuple | undefined> {
    const view = live === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.getTuple(config);
    this.#store.assertOpen();
    const address = findAddress(config as ConfigLike);
    if (address === undefined) return undefined;
    const tuple = await this.#store.reading(() => {
      const row = this.#store.checkpoint(address.threadId, address.ns, address.checkpointId);
      return row && this.#reader.tuple(row, true);
    });
    if (tuple !== undefined) withSends(tuple, live ?? {});
    return tuple;
  }

  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    this.#store.assertOpen();
    const tuples = listCheckpoints(this.#store, this.#reader, config as ConfigLike, options);
    for await (const tuple of tuples) {
      withSends(tuple, {});
      yield tuple;
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
    this.#store.assertOpen();
    return this.#writer.put(config, checkpoint, metadata, newVersions, hooks ?? {});
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
    hooks?: SaverHooks,
  ): Promise<void> {
    const view = hooks === undefined ? this.#adopted.view(config as ConfigLike) : undefined;
    if (view !== undefined) return view.putWrites(config, writes, taskId, taskPath);
    this.#store.assertOpen();
    return this.#writer.putWrites(config, writes, taskId, taskPath, hooks ?? {});
  }

  holds(at: StoredAt, value: unknown, hooks: WriteHooks): boolean {
    this.#store.assertOpen();
    const stored = MsgpackSerializer.is(this.serde) ? this.#reader.version(at) : undefined;
    return (
      stored !== undefined &&
      isSameDump(this.serde as MsgpackSerializer, stored.value, value, hooks)
    );
  }

  /** Delete a thread, and end the live objects that graphs over this database hold for it. */
  override async deleteThread(threadId: string): Promise<void> {
    this.#store.assertOpen();
    this.#store.deleteThread(requireId("threadId", threadId));
    await ThreadEnds.of(this.#store).dispose(threadId);
  }

  /**
   * The writes to channels since their value was last stored, and that value, from the ancestors of
   * a checkpoint. Reads nothing but these channels.
   */
  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    this.#store.assertOpen();
    requireRecord("The options of getDeltaChannelHistory", options);
    if (!Array.isArray(options.channels))
      throw new SaverError(
        "invalid_options",
        `channels must be a list of names, not ${kindOf(options.channels)}`,
      );
    const address = findAddress(options.config as ConfigLike);
    return deltaChannelHistory(this.#store, this.#reader, address, options.channels);
  }

  /** The next version of a channel; with a random fraction, so that two branches never share one. */
  override getNextVersion(current: number | undefined): number {
    return nextVersion(current);
  }
}

function withSends(tuple: CheckpointTuple, live: Readonly<Record<string, unknown>>): void {
  placing(
    () => placeIn(tuple, TASKS),
    () => restoreSends(tuple, live),
  );
}

/** Whether two values are stored by the same bytes. What can't be stored is not what is stored. */
function isSameDump(
  serializer: MsgpackSerializer,
  stored: unknown,
  value: unknown,
  hooks: WriteHooks,
): boolean {
  try {
    return Buffer.compare(serializer.dumps(stored), serializer.write(value, hooks).bytes) === 0;
  } catch {
    return false;
  }
}
