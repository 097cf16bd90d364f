import { learnFromSends, type StatePolicy } from "@threadkeep/serde/policy";
import { type Channel, StandIn } from "./stand-in.ts";

const BRAND = Symbol.for("threadkeep.sends-channel");

/**
 * Stands in for LangGraph's channel of Sends, and learns the live objects that they carry. The saver
 * does not get to see every Send: a run that is stored at its end keeps those in between to itself.
 */
export class SendsChannel extends StandIn {
  override readonly lc_graph_name: string;
  readonly #policy: StatePolicy;

  constructor(channel: Channel, policy: StatePolicy) {
    super(channel);
    this.lc_graph_name = channel.lc_graph_name;
    this.#policy = policy;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static is(channel: unknown): channel is SendsChannel {
    return typeof channel === "object" && channel !== null && BRAND in channel;
  }

  override fromCheckpoint(checkpoint?: unknown): this {
    return new SendsChannel(this.channel.fromCheckpoint(checkpoint), this.#policy) as this;
  }

  override update(values: unknown[]): boolean {
    learnFromSends(values, this.#policy);
    return super.update(values);
  }

  override equals(other: Channel): boolean {
    return this === other || this.channel.equals(other);
  }
}
