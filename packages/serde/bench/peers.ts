import { deserialize, serialize } from "node:v8";
import { JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { Packr } from "msgpackr";
import { parse, stringify } from "superjson";

/** A serializer, and how it is called. */
export interface Peer {
  readonly dump: (value: unknown) => Uint8Array | string | Promise<Uint8Array>;
  readonly load: (data: never) => unknown;
}

/** By the name in the report; each is made in the process that measures it. */
export const peers: Readonly<Record<string, () => Peer | Promise<Peer>>> = {
  threadkeep: async () => {
    const built = new URL("../dist/index.mjs", import.meta.url).href;
    const { MsgpackSerializer } = (await import(built)) as typeof import("../src/index.ts");
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
