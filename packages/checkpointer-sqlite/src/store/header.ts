import type { Checkpoint } from "@langchain/langgraph-checkpoint";
import type { MsgpackSerializer } from "@threadkeep/serde";
import { type NamedPart, type Part, plainPart } from "../parts/part.ts";
import { reference } from "../parts/tokens.ts";

type Version = number | string;

/** A value that a checkpoint keeps itself. */
export interface OwnValue {
  readonly tag: string | null;
  readonly document: Uint8Array;
}

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
  readonly own: Readonly<Record<string, OwnValue>>;
}

/** Nested names, each with the names below it; null where a leaf stands. */
interface Names {
  readonly [name: string]: Names | null;
}

/** What the headers of a thread have in common: every name in them, and which channels have values. */
export interface HeaderShape {
  readonly fields: Names;
  readonly versioned: readonly string[];
  readonly own: readonly string[];
}

/**
 * As a document of leaves and a part with the names: those would repeat in every row. Leaves that
 * repeat, as versions do, are written once too.
 */
export function dumpHeader(
  { fields, versioned, own }: Header,
  serializer: MsgpackSerializer,
  nameOf: (part: Part) => Uint8Array,
): { readonly document: Uint8Array; readonly shape: NamedPart } {
  const leaves: unknown[] = [];
  const names = split(fields, leaves);
  for (const { tag, document } of Object.values(own)) leaves.push(tag, document);
  const shape: HeaderShape = { fields: names, versioned, own: Object.keys(own) };
  const part = plainPart(serializer.dumps(shape));
  const digest = nameOf(part);
  const values: unknown[] = [];
  const places = new Map<unknown, number>();
  const order = leaves.map((leaf) => {
    const known = Object.is(leaf, -0) ? undefined : places.get(leaf);
    const place = known ?? values.push(leaf) - 1;
    // A map takes -0 for 0.
    if (!Object.is(leaf, -0)) places.set(leaf, place);
    return place;
  });
  const isRepetitive = values.length < leaves.length && values.length <= 0x100;
  const { bytes } = serializer.write(
    [shape, ...(isRepetitive ? [values, Uint8Array.from(order)] : [leaves])],
    {
      cutter: {
        embed: (object) => (object === shape ? reference(digest) : undefined),
        enter: () => true,
        refer: () => {},
      },
    },
  );
  return { document: bytes, shape: { ...part, digest } };
}

/** From what the document holds. */
export function loadHeader([shape, values, order]: readonly [
  HeaderShape,
  readonly unknown[],
  Uint8Array | undefined,
]): Header {
  let at = 0;
  const next = (): unknown => {
    const place = order === undefined ? at : order[at];
    at++;
    return values[place as number];
  };
  const fields = join(shape.fields, next) as Header["fields"];
  const own = shape.own.map((channel): [string, OwnValue] => [
    channel,
    { tag: next() as string | null, document: next() as Uint8Array },
  ]);
  return { fields, versioned: shape.versioned, own: Object.fromEntries(own) };
}

/** The checkpoint's fields besides its values. */
export function headerFields(checkpoint: Checkpoint): Header["fields"] {
  const { channel_values: _values, ...fields } = checkpoint;
  return fields;
}

function split(record: Readonly<Record<string, unknown>>, leaves: unknown[]): Names {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (isRecord(value)) return [name, split(value, leaves)];
      leaves.push(value);
      return [name, null];
    }),
  );
}

function join(names: Names, next: () => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).map(([name, below]) => [
      name,
      below === null ? next() : join(below, next),
    ]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
