import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { MsgpackSerializer } from "@threadkeep/serde";
import type { ConfigLike } from "../config.ts";

/** How many checkpoints are remembered: those that running tasks may still write to. */
const REMEMBERED = 64;

/**
 * The bytes of private channels in the checkpoints last stored or loaded, to tell whether a Send
 * holds the same: values may have been changed in place since, stored bytes have not.
 */
export class StoredValues {
  readonly #serializer: MsgpackSerializer;
  readonly #checkpoints = new Map<string, ReadonlyMap<string, Uint8Array>>();

  constructor(serde: SerializerProtocol) {
    this.#serializer = serde as MsgpackSerializer;
  }

  /** Remember what a checkpoint holds of `names`. */
  note(
    config: ConfigLike,
    values: Readonly<Record<string, unknown>>,
    names: ReadonlySet<string>,
  ): void {
    const bytes = new Map<string, Uint8Array>();
    for (const name of names) {
      if (values[name] === undefined) continue;
      const dumped = this.#dump(values[name]);
      if (dumped !== undefined) bytes.set(name, dumped);
    }
    if (bytes.size === 0) return;
    const key = keyOf(config);
    this.#checkpoints.delete(key);
    this.#checkpoints.set(key, bytes);
    if (this.#checkpoints.size > REMEMBERED)
      this.#checkpoints.delete(this.#checkpoints.keys().next().value as string);
  }

  /** Whether that checkpoint holds exactly this value under the name. */
  holds(config: ConfigLike, name: string, value: unknown): boolean {
    const bytes = this.#checkpoints.get(keyOf(config))?.get(name);
    return bytes !== undefined && isEqual(bytes, this.#dump(value));
  }

  /** Whether two values are stored by the same bytes. */
  isSame(a: unknown, b: unknown): boolean {
    const bytes = this.#dump(a);
    return bytes !== undefined && isEqual(bytes, this.#dump(b));
  }

  /** Undefined for what can't be stored: storing it says why, with its place. */
  #dump(value: unknown): Uint8Array | undefined {
    try {
      return this.#serializer.dumps(value);
    } catch {
      return undefined;
    }
  }
}

function keyOf({ configurable = {} }: ConfigLike): string {
  return JSON.stringify([
    configurable.thread_id,
    configurable.checkpoint_ns ?? "",
    configurable.checkpoint_id,
  ]);
}

function isEqual(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0;
}
