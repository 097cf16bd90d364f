import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer, type WriteHooks } from "@threadkeep/serde";
import type { Encoded } from "./store/checkpoint-store.ts";
import { split } from "./store/parts.ts";
import type { RootRow } from "./store/statements.ts";

/** Values to rows and back. With our serializer all of it is synchronous. */
export interface ValueCodec {
  readonly isAsync: boolean;
  dump(value: unknown, hooks: WriteHooks): Encoded | Promise<Encoded>;
  /** A value that stays in one piece. */
  dumpWhole(value: unknown, hooks: WriteHooks): RootRow | Promise<RootRow>;
  load(tag: string, root: Uint8Array, part: (digest: Uint8Array) => Uint8Array): unknown;
}

export function valueCodec(serde: SerializerProtocol): ValueCodec {
  return MsgpackSerializer.is(serde) ? ownCodec(serde) : foreignCodec(serde);
}

function ownCodec(serializer: MsgpackSerializer): ValueCodec {
  return {
    isAsync: false,
    dump(value, hooks) {
      const { tag, bytes } = serializer.write(value, hooks);
      return { tag, ...split(bytes) };
    },
    dumpWhole(value, hooks) {
      const { tag, bytes } = serializer.write(value, hooks);
      return { tag, root: bytes };
    },
    load: (tag, root, part) =>
      serializer.read(tag, root, (digest) => serializer.read(tag, part(digest))),
  };
}

/** Another serializer's bytes say nothing to us: each value is one piece. */
function foreignCodec(serde: SerializerProtocol): ValueCodec {
  const dump = async (value: unknown): Promise<RootRow> => {
    const [tag, bytes] = await serde.dumpsTyped(value);
    return { tag, root: bytes };
  };
  return {
    isAsync: true,
    dump: async (value) => ({ ...(await dump(value)), parts: [] }),
    dumpWhole: dump,
    load: (tag, root) => serde.loadsTyped(tag, root),
  };
}
