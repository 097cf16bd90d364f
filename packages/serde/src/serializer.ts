import { types } from "node:util";
import { type Problem, SerdeError } from "./errors.ts";
import { emit } from "./events.ts";
import { loadLegacyJson } from "./legacy/json-plus.ts";
import type { Limits } from "./limits.ts";
import type { Omit } from "./omit.ts";
import {
  type Mode,
  resolveOptions,
  type ResolvedOptions,
  type SerializerOptions,
} from "./options.ts";
import type { PathStep } from "./path.ts";
import { readDocument } from "./read/read-document.ts";
import { TextCache } from "./read/text-cache.ts";
import type { ReadContext } from "./read/read-context.ts";
import type { Types } from "./types/normalize.ts";
import { isSamePayload } from "./verify.ts";
import { DocumentBlocks } from "./write/block-list.ts";
import { ChunkSink } from "./write/chunk-sink.ts";
import type { Cutter } from "./write/cutter.ts";
import { DumpTable } from "./write/dump-table.ts";
import { openEncoder } from "./write/encoder-internals.ts";
import { EncoderSink } from "./write/encoder-sink.ts";
import { KnownBlocks } from "./write/known-blocks.ts";
import { KeyLists } from "./write/key-lists.ts";
import { Losses, type OnLoss } from "./write/losses.ts";
import type { Sink } from "./write/sink.ts";
import { warnOnce } from "./write/warn-once.ts";
import { writeDocument, type Written } from "./write/write-document.ts";

/** What the caller of one `write` adds to the serializer's own rules. */
export interface WriteHooks {
  /** Objects that must not be stored: left out where they are a property, a blank place in lists. */
  readonly omit?: Omit | undefined;
  /** Called once for each place that was left out. */
  readonly onOmit?: ((path: string) => void) | undefined;
  /** Where the value stands in a larger one: the first steps of every path in errors. */
  readonly at?: readonly PathStep[];
  /** Puts documents in the place of objects. What is written then is no payload of its own. */
  readonly cutter?: Cutter | undefined;
}

const BRAND = Symbol.for("threadkeep.serde.serializer");
const SPARE_SINKS = 4;

/**
 * A LangGraph serializer on MessagePack: what it writes comes back exactly, or the write fails and
 * names the place.
 *
 * Fits wherever LangGraph takes a `SerializerProtocol`. Immutable: one instance may serve any
 * number of savers and threads.
 *
 * @throws {@link SerdeError} `invalid_options`
 *
 * @example
 * ```ts
 * const serializer = new MsgpackSerializer();
 * const bytes = serializer.dumps({ at: new Date(0), total: 12n, tags: new Set(["a"]) });
 * serializer.loads(bytes); // { at: 1970-01-01T00:00:00.000Z, total: 12n, tags: Set(1) { "a" } }
 * ```
 */
export class MsgpackSerializer {
  readonly #options: ResolvedOptions;
  readonly #table: DumpTable;
  readonly #keyLists = new KeyLists();
  readonly #blocks = new KnownBlocks();
  readonly #context: ReadContext;
  readonly #onLoss: OnLoss | undefined;
  /** Sinks that are not in use: several, as a walk may call for another one, of a part or in user code. */
  readonly #sinks: Sink[] = [];

  constructor(options: SerializerOptions = {}) {
    this.#options = resolveOptions(options);
    const { types, limits, onBlocked, onEvent, mode, errorStacks } = this.#options;
    this.#table = new DumpTable(types, errorStacks);
    this.#context = {
      types,
      limits,
      onBlocked,
      texts: new TextCache(),
      blocked: (type, path) => emit(onEvent, { kind: "blocked", type, path }),
      migrated: ({ key: type, version: to }, from, path) =>
        emit(onEvent, { kind: "migrated", type, from, to, path }),
    };
    this.#onLoss = mode === "lenient" ? warnOnce((loss) => emit(onEvent, loss)) : undefined;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether this is a serializer of this package, of this copy or another. */
  static is(value: unknown): value is MsgpackSerializer {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  /** `"strict"` or `"lenient"`, as it turned out with the environment. */
  get mode(): Mode {
    return this.#options.mode;
  }

  /** The bounds on what is written and read. */
  get limits(): Limits {
    return this.#options.limits;
  }

  /**
   * Serialize a value.
   *
   * @throws {@link SerdeError} `unsupported_type`, `unregistered_class`, `circular_type`,
   * `dump_failed` with every bad place in `problems`; `limit_exceeded`; `verify_failed`.
   */
  dumps(value: unknown): Uint8Array {
    return this.write(value).bytes;
  }

  /**
   * Revive a payload: one of ours, or of LangGraph's stock serializer as JSON.
   *
   * @throws {@link SerdeError} `malformed_payload`, `type_not_allowed`, `limit_exceeded`, `load_failed`
   */
  loads(bytes: Uint8Array): unknown {
    return this.read("json", bytes);
  }

  /** LangGraph's protocol: {@link dumps} with its type tag, `msgpack` or `msgpack+js`. */
  async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
    const { tag, bytes } = this.write(value);
    return [tag, bytes];
  }

  /**
   * LangGraph's protocol: revive a payload by its tag. The payload says itself what it is, so a
   * saver that loses the tag and passes `json` works too.
   *
   * @throws {@link SerdeError} as {@link loads}; `unknown_tag`
   */
  async loadsTyped(tag: string, data: Uint8Array | string): Promise<unknown> {
    return this.read(tag, data);
  }

  /** A serializer that knows more types; this same one when there is nothing new. */
  withAllowlist(types: Types): MsgpackSerializer {
    const table = this.#options.types.with(types);
    if (table === this.#options.types) return this;
    return new MsgpackSerializer({ ...this.#options, types: table });
  }

  /** Serialize with its tag, and with what a saver adds: places to leave out, where the value stands. */
  write(value: unknown, hooks: WriteHooks = {}): Written {
    const written = this.#write(value, hooks, new Losses(this.#onLoss));
    // The documents that were put in were written, and read back, on their own.
    if (this.#options.verifyOnWrite && !written.isCut) this.#verify(written);
    return written;
  }

  /**
   * What {@link dumps} would refuse: every bad place, found in one walk. In lenient mode also what
   * would be stored as less than it is. Nobody is told of anything.
   */
  problems(value: unknown, { omit, at = [] }: WriteHooks = {}): readonly Problem[] {
    const hooks = { at, omit, isTold: false };
    try {
      const written = this.#write(value, hooks, new Losses(undefined, Number.POSITIVE_INFINITY));
      if (this.#options.verifyOnWrite) this.#verify(written);
      return [];
    } catch (error) {
      if (SerdeError.is(error)) return error.problems;
      throw error;
    }
  }

  /** Revive by tag; `part` gives the value of a part that a saver stores on its own. */
  read(tag: string, data: Uint8Array | string, part?: (digest: Uint8Array) => unknown): unknown {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : asBytes(data);
    switch (tag) {
      case "bytes":
      case "bytearray":
        return bytes.slice();
      case "null":
      case "json":
      case "msgpack":
      case "msgpack+js":
        if (bytes.length === 0) return null;
        if (!tag.startsWith("msgpack") && isJsonText(bytes)) return this.#readJson(tag, bytes);
        return readDocument(bytes, part === undefined ? this.#context : { ...this.#context, part });
      default:
        throw new SerdeError({
          code: "unknown_tag",
          path: "",
          message: `A payload of type ${JSON.stringify(String(tag).slice(0, 40))} is not one that this serializer reads`,
        });
    }
  }

  #write(
    value: unknown,
    hooks: WriteHooks & { readonly isTold?: boolean },
    losses: Losses,
  ): Written {
    const sink = this.#sinks.pop() ?? newSink();
    const isWhole =
      hooks.cutter === undefined && hooks.omit === undefined && hooks.isTold !== false;
    try {
      return writeDocument(value, {
        sink,
        limits: this.#options.limits,
        table: this.#table,
        keyLists: this.#keyLists,
        losses,
        at: hooks.at ?? [],
        omits: hooks.omit,
        omitted: hooks.omit === undefined ? undefined : this.#omitted(hooks),
        cutter: hooks.cutter,
        blocks: isWhole && !losses.isLenient ? new DocumentBlocks(this.#blocks) : undefined,
      });
    } finally {
      sink.release();
      if (this.#sinks.length < SPARE_SINKS) this.#sinks.push(sink);
    }
  }

  /** Who is told of places that are left out. */
  #omitted({ onOmit, isTold }: WriteHooks & { readonly isTold?: boolean }): WriteHooks["onOmit"] {
    if (isTold === false) return undefined;
    const { onEvent } = this.#options;
    if (onEvent === undefined) return onOmit;
    return (path) => {
      onOmit?.(path);
      emit(onEvent, { kind: "untracked", path });
    };
  }

  #verify({ tag, bytes }: Written): void {
    let again: Uint8Array | undefined;
    let cause: unknown;
    try {
      again = this.#write(readDocument(bytes, this.#context), {}, new Losses(undefined)).bytes;
    } catch (error) {
      cause = error;
    }
    if (again !== undefined && isSamePayload(bytes, again)) return;
    throw new SerdeError(
      {
        code: "verify_failed",
        path: "",
        message: `What was written as ${tag} does not read back as the same; look at the dump and load of its types`,
      },
      cause === undefined ? undefined : { cause },
    );
  }

  #readJson(tag: string, bytes: Uint8Array): unknown {
    if (tag !== "json") {
      throw new SerdeError({
        code: "malformed_payload",
        path: "",
        message: `A payload of type ${tag} is JSON text`,
      });
    }
    emit(this.#options.onEvent, { kind: "legacy", tag });
    return loadLegacyJson(bytes, this.#options.limits);
  }
}

/** The first byte tells: JSON text starts below 0x80, a document of ours does not. */
function isJsonText(bytes: Uint8Array): boolean {
  return (bytes[0] as number) < 0x80;
}

function asBytes(data: unknown): Uint8Array {
  if (!types.isUint8Array(data))
    throw new SerdeError({
      code: "malformed_payload",
      path: "",
      message: "Not a payload: loads takes the bytes that dumps gave, as a Uint8Array",
    });
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function newSink(): Sink {
  const encoder = openEncoder();
  return encoder === undefined ? new ChunkSink() : new EncoderSink(encoder);
}
