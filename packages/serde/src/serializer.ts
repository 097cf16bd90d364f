import { SerdeError } from "./errors.ts";
import { emit } from "./events.ts";
import { loadLegacyJson } from "./legacy/json-plus.ts";
import {
  type Mode,
  resolveOptions,
  type ResolvedOptions,
  type SerializerOptions,
} from "./options.ts";
import { Reader, type ReadContext } from "./read/reader.ts";
import type { Types } from "./types/type-table.ts";
import { ChunkSink } from "./write/chunk-sink.ts";
import { DumpTable } from "./write/dump-table.ts";
import { EncoderSink, openEncoder } from "./write/encoder-sink.ts";
import type { Sink } from "./write/sink.ts";
import { type WriteHooks, type Written, Writer } from "./write/writer.ts";

const BRAND = Symbol.for("threadkeep.serde.serializer");

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
  readonly #context: ReadContext;
  /** A sink that is not in use; a second one is made when user code called by a walk dumps again. */
  #sink: Sink | undefined;

  constructor(options: SerializerOptions = {}) {
    this.#options = resolveOptions(options);
    this.#table = new DumpTable(this.#options.types, this.#options.errorStacks);
    const { types, limits, onBlocked, onEvent } = this.#options;
    this.#context = {
      types,
      limits,
      onBlocked,
      blocked: (type, path) => emit(onEvent, { kind: "blocked", type, path }),
    };
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

  /**
   * Serialize a value.
   *
   * @throws {@link SerdeError} `unsupported_type`, `unregistered_class`, `circular_type`,
   * `dump_failed` with every bad place in `problems`; `limit_exceeded`.
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
  write(value: unknown, hooks?: WriteHooks): Written {
    const sink = this.#sink ?? newSink();
    this.#sink = undefined;
    try {
      const written = new Writer(sink, this.#table, this.#options.limits, hooks).write(value);
      if (this.#options.verifyOnWrite) this.read(written.tag, written.bytes);
      return written;
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep(error);
      throw error;
    } finally {
      sink.reset();
      this.#sink = sink;
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
        return isJsonText(bytes) ? this.#readJson(tag, bytes) : this.#readMsgpack(bytes, part);
      default:
        throw new SerdeError({
          code: "unknown_tag",
          path: "",
          message: `A payload of type ${JSON.stringify(String(tag).slice(0, 40))} is not one that this serializer reads`,
        });
    }
  }

  #readMsgpack(bytes: Uint8Array, part?: (digest: Uint8Array) => unknown): unknown {
    try {
      return new Reader(
        bytes,
        part === undefined ? this.#context : { ...this.#context, part },
      ).read();
    } catch (error) {
      if (error instanceof RangeError) throw tooDeep(error);
      throw error;
    }
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

function asBytes(data: Uint8Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function newSink(): Sink {
  const encoder = openEncoder();
  return encoder === undefined ? new ChunkSink() : new EncoderSink(encoder);
}

/** The stack ended before `maxDepth`: it was raised beyond what the engine can walk. */
function tooDeep(cause: RangeError): SerdeError {
  return new SerdeError(
    {
      code: "limit_exceeded",
      path: "",
      message: "The value is nested deeper than the stack allows; lower limits.maxDepth",
    },
    { cause },
  );
}
