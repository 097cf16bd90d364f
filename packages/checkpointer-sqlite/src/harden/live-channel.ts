import type { LiveObjects } from "@threadkeep/serde/policy";
import { type Channel, StandIn } from "./stand-in.ts";

const NAME = "ThreadkeepLive";

/**
 * Stands in for a channel of untracked state: the run reads and writes the channel behind it, and a
 * checkpoint gets nothing.
 *
 * It learns each value on the way, so that the same object is known wherever else it turns up. Its
 * name is not that of LangGraph's own untracked channel: the loop would then keep the writes from
 * the saver, which would never learn of them, and drop the timeout of every Send.
 */
export class LiveChannel extends StandIn {
  override readonly lc_graph_name: string = NAME;
  /** Undefined where values are plain data, known by name only. */
  readonly #live: LiveObjects | undefined;
  /** Makes the field's default. */
  readonly #initial: (() => unknown) | undefined;
  /** The object that a run starts with. */
  readonly #object: unknown;

  constructor(
    channel: Channel,
    live: LiveObjects | undefined,
    initial?: () => unknown,
    object?: unknown,
  ) {
    super(channel);
    this.#initial = initial;
    this.#live = live;
    this.#object = object;
  }

  static is(channel: unknown): channel is LiveChannel {
    return (
      typeof channel === "object" &&
      channel !== null &&
      (channel as { lc_graph_name?: unknown }).lc_graph_name === NAME
    );
  }

  /** This channel for a run that starts with a live object. */
  startingWith(object: unknown): LiveChannel {
    this.#live?.add(object);
    return new LiveChannel(this.channel, this.#live, this.#initial, object);
  }

  /**
   * A fresh channel; or this run's again, for a router that reads what its own task wrote. A stored
   * value is none of ours: it is from before the field was untracked, and left alone.
   */
  override fromCheckpoint(checkpoint?: unknown): this {
    const current = checkpoint instanceof Ticket ? checkpoint.take() : undefined;
    const channel = this.channel.fromCheckpoint(current);
    if (current === undefined) {
      if (this.#object !== undefined) channel.update([this.#object]);
      else if (this.#initial !== undefined && !channel.isAvailable())
        channel.update([this.#initial()]);
    }
    return new LiveChannel(channel, this.#live, this.#initial) as this;
  }

  override update(values: unknown[]): boolean {
    for (const value of values) this.#live?.add(value);
    return super.update(values);
  }

  override checkpoint(): unknown {
    return this.channel.isAvailable() ? new Ticket(() => this.channel.checkpoint()) : undefined;
  }

  override equals(): boolean {
    return true;
  }
}

/** What a checkpoint gets of a live channel: this process can read it, storage finds nothing in it. */
class Ticket {
  readonly #take: () => unknown;

  constructor(take: () => unknown) {
    this.#take = take;
  }

  take(): unknown {
    return this.#take();
  }

  toJSON(): undefined {
    return undefined;
  }
}
