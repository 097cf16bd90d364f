import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type WriteHooks } from "@threadkeep/serde";
import { SaverError } from "./errors.ts";
import { begin, serializerError } from "./foreign-serializer.ts";
import type { LoadPlace } from "./load-error.ts";
import { kindOf } from "./kind-of.ts";
import type { Part } from "./parts/part.ts";
import type { PartReader } from "./parts/part-reader.ts";
import type { PartContext, PartedValue } from "./parts/parted-value.ts";
import { writeParts } from "./parts/part-writer.ts";
import type { SharedObjects } from "./parts/shared-objects.ts";

/** A value as it is stored; a foreign serializer's with its type tag. */
interface Encoded extends PartedValue {
  readonly tag: string | null;
}

/**
 * Encodes a value for a thread as it was seen; undefined for a new one. May be called again when the
 * thread has changed.
 */
export type Encode = (seen: PartContext["known"]) => Encoded;

/** Values to documents and back. With our serializer all of it is synchronous. */
export interface ValueCodec {
  /** Whether {@link encoder} needs the value's bytes before anything is known of the thread. */
  readonly isAsync: boolean;
  encoder(value: unknown, hooks: WriteHooks, place: LoadPlace): Encode | Promise<Encode>;
  decode(tag: string | null, document: Uint8Array, reader: PartReader, place: LoadPlace): unknown;
}

/** What a saver stores values with. */
export interface ValueContext {
  readonly shared: SharedObjects;
  readonly name: (part: Part) => Uint8Array;
  /** For what is ours whatever serializer the values have. */
  readonly own: MsgpackSerializer;
}

export function valueCodec(serde: SerializerProtocol, context: ValueContext): ValueCodec {
  return MsgpackSerializer.is(serde) ? ownCodec(serde, context) : foreignCodec(serde, context.own);
}

function ownCodec(serializer: MsgpackSerializer, { shared, name, own }: ValueContext): ValueCodec {
  return {
    isAsync: false,
    encoder: (value, hooks) => (known) => ({
      tag: null,
      ...writeParts(value, hooks, { serializer, name, shared, known }),
    }),
    decode: (tag, document, reader) =>
      tag === null
        ? reader.read(document, serializer)
        : serializer.read(tag, reader.read(document, own) as Uint8Array),
  };
}

/** Another serializer's bytes say nothing to us: each value is one piece. */
function foreignCodec(serde: SerializerProtocol, own: MsgpackSerializer): ValueCodec {
  return {
    isAsync: true,
    encoder: (value, _hooks, place) =>
      begin(async () => {
        try {
          const [tag, bytes] = await serde.dumpsTyped(value);
          if (typeof tag !== "string")
            throw new TypeError(`dumpsTyped gave ${kindOf(tag)} for the type, which is text`);
          const encoded = { tag, root: own.dumps(bytes), parts: [], batches: [] };
          return () => encoded;
        } catch (error) {
          throw serializerError(error, "store", place);
        }
      }),
    decode(tag, document, reader, place) {
      if (tag === null)
        throw new SaverError(
          "unsupported",
          "it was stored with a MsgpackSerializer; use one to read it",
        );
      const bytes = reader.read(document, own) as Uint8Array;
      return begin(async () => {
        try {
          return (await serde.loadsTyped(tag, bytes)) as unknown;
        } catch (error) {
          throw serializerError(error, "load", place);
        }
      });
    },
  };
}
