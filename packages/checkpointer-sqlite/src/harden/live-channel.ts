import { BaseChannel } from "@langchain/langgraph/web";
import type { LiveObjects } from "@threadkeep/serde/policy";

/** The members of a channel that LangGraph calls. */
type Channel = BaseChannel<unknown, unknown, unknown>;

/**
 * Stands in for a channel of untracked state: the run reads and writes the channel behind it, and a
 * checkpoint gets nothing.
 *
 * It learns each value on the way, so that the same object is known wherever else it turns up. Its
 * name is not that of LangGraph's own untracked channel: the loop would then keep the writes from
 * the saver, which would never learn of them, and drop the timeout of every Send.
 */
export class LiveChannel extends BaseChannel<unknown, unknown, unknown> {
  readonly lc_graph_name = "ThreadkeepLive";
  readonly #channel: Channel;
  readonly #live: LiveObjects;

  constructor(channel: Channel, live: LiveObjects) {
    super();
    this.#channel = channel;
    this.#live = live;
  }

  /** `checkpoint` is a live object put in on load, or nothing. */
  override fromCheckpoint(checkpoint?: unknown): this {
    const channel = this.#channel.fromCheckpoint(undefined);
    if (checkpoint !== undefined) channel.update([checkpoint]);
    return new LiveChannel(channel, this.#live) as this;
  }

  override update(values: unknown[]): boolean {
    for (const value of values) this.#live.add(value);
    return this.#channel.update(values);
  }

  override get(): unknown {
    return this.#channel.get();
  }

  override checkpoint(): unknown {
    return undefined;
  }

  override isAvailable(): boolean {
    return this.#channel.isAvailable();
  }

  override consume(): boolean {
    return this.#channel.consume();
  }

  override finish(): boolean {
    return this.#channel.finish();
  }

  override equals(): boolean {
    return true;
  }
}
