import { deserialize, serialize } from "node:v8";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { Packr } from "msgpackr";
import { parse, stringify } from "superjson";
import { messages } from "./fixtures.ts";

/** A serializer, and how it is called. */
export interface Peer {
  readonly dump: (value: unknown) => Uint8Array | string | Promise<Uint8Array>;
  readonly load: (data: never) => unknown;
  /** Done before each turn of dumps, while the clock stands. */
  readonly before?: () => void;
}

const built = new URL("../dist/index.mjs", import.meta.url).href;
const { MsgpackSerializer } = (await import(built)) as typeof import("../src/index.ts");
/** So many are enough for a turn with the large values. */
const SERIALIZERS = 6;

/** By the name in the report; each is made in the process that measures it. */
export const peers: Readonly<Record<string, () => Peer | Promise<Peer>>> = {
  // What a serializer has written before it writes faster. Here each writes a value once; other values
  // it has written, as any serializer in use.
  threadkeep: () => {
    const others = messages(2_000, 8);
    const inUse = (): InstanceType<typeof MsgpackSerializer> => {
      const serializer = new MsgpackSerializer();
      serializer.dumps(others);
      return serializer;
    };
    const serializer = inUse();
    let unused: InstanceType<typeof MsgpackSerializer>[] = [];
    return {
      dump: (value) => (isLong(value) ? (unused.pop() ?? inUse()) : serializer).dumps(value),
      load: (data: Uint8Array) => serializer.loads(data),
      before: () => void (unused = Array.from({ length: SERIALIZERS }, inUse)),
    };
  },
  "threadkeep, again": () => {
    const serializer = new MsgpackSerializer();
    return {
      dump: (value) => serializer.dumps(value),
      load: (data: Uint8Array) => serializer.loads(data),
    };
  },
  "stock JsonPlus": () => {
    const serializer = new JsonPlusSerializer();
    return {
      dump: async (value) => (await serializer.dumpsTyped(value))[1],
      load: (data: Uint8Array) => serializer.loadsTyped("json", data),
    };
  },
  JSON: () => ({
    dump: (value) => JSON.stringify(value),
    load: (data: string) => JSON.parse(data) as unknown,
  }),
  "v8.serialize": () => ({
    dump: (value) => serialize(value),
    load: (data: Buffer) => deserialize(data) as unknown,
  }),
  msgpackr: () => {
    const packr = new Packr({ useRecords: false, moreTypes: true, structuredClone: true });
    return {
      dump: (value) => packr.pack(value),
      load: (data: Buffer) => packr.unpack(data) as unknown,
    };
  },
  superjson: () => ({
    dump: (value) => stringify(value),
    load: (data: string) => parse(data),
  }),
};

/** Shorter lists are written anew each time. */
function isLong(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 1_000;
}
