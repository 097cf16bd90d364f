import { BaseChannel } from "@langchain/langgraph/web";
import { learnFromSends, type StatePolicy } from "@threadkeep/serde/policy";

/** The members of a channel that LangGraph calls. */
type Channel = BaseChannel<unknown, unknown, unknown>;

const BRAND = Symbol.for("threadkeep.sends-channel");

/**
 * Stands in for LangGraph's channel of Sends, and learns the live objects that they carry. The saver
 * does not get to see every Send: a run that is stored at its end keeps those in between to itself.
 */
export class SendsChannel extends BaseChannel<unknown, unknown, unknown> {
  override readonly lc_graph_name: string;
  readonly #channel: Channel;
  readonly #policy: StatePolicy;

  constructor(channel: Channel, policy: StatePolicy) {
    super();
    this.lc_graph_name = channel.lc_graph_name;
    this.#channel = channel;
    this.#policy = policy;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static is(channel: unknown): channel is SendsChannel {
    return typeof channel === "object" && channel !== null && BRAND in channel;
  }

  override fromCheckpoint(checkpoint?: unknown): this {
    return new SendsChannel(this.#channel.fromCheckpoint(checkpoint), this.#policy) as this;
  }

  override update(values: unknown[]): boolean {
    learnFromSends(values, this.#policy);
    return this.#channel.update(values);
  }

  override get(): unknown {
    return this.#channel.get();
  }

  override checkpoint(): unknown {
    return this.#channel.checkpoint();
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

  override equals(other: Channel): boolean {
    return this === other || this.#channel.equals(other);
  }
}
