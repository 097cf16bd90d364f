import type { Checkpoint } from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer } from "@threadkeep/serde";
import type { RootRow } from "./statements.ts";

type Version = number | string;

/**
 * What a checkpoint row says of its checkpoint: everything but the values.
 *
 * A channel's value is found by its version. `own` holds those for which that would find another
 * one: channels without a version, and a version that two branches used for different values.
 */
export interface Header {
  /** The checkpoint's fields besides its values, `channel_versions` among them. */
  readonly fields: Readonly<Record<string, unknown>> & {
    readonly channel_versions: Readonly<Record<string, Version>>;
  };
  /** Channels with a value that is found by its version. */
  readonly versioned: readonly string[];
  readonly own: Readonly<Record<string, RootRow>>;
}

/** As bytes. Channels are listed by their place among the versions: names would repeat in every row. */
export function dumpHeader(header: Header, serializer: MsgpackSerializer): Uint8Array {
  const order = Object.keys(header.fields.channel_versions);
  const places = header.versioned.map((channel) => order.indexOf(channel));
  const own = Object.entries(header.own).map(([channel, { tag, root }]) => [channel, tag, root]);
  return serializer.dumps([header.fields, places, own]);
}

export function loadHeader(bytes: Uint8Array, serializer: MsgpackSerializer): Header {
  const [fields, places, own] = serializer.loads(bytes) as [
    Header["fields"],
    number[],
    [string, string, Uint8Array][],
  ];
  const order = Object.keys(fields.channel_versions);
  return {
    fields,
    versioned: places.map((place) => order[place] as string),
    own: Object.fromEntries(own.map(([channel, tag, root]) => [channel, { tag, root }])),
  };
}

/** The checkpoint's fields besides its values. */
export function headerFields(checkpoint: Checkpoint): Header["fields"] {
  const { channel_values: _values, ...fields } = checkpoint;
  return fields;
}
