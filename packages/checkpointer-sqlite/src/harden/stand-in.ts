import { BaseChannel } from "@langchain/langgraph/web";

/** The members of a channel that LangGraph calls. */
export type Channel = BaseChannel<unknown, unknown, unknown>;

/** A channel of ours in the place of one of the graph's, which does the work behind it. */
export abstract class StandIn extends BaseChannel<unknown, unknown, unknown> {
  protected readonly channel: Channel;

  constructor(channel: Channel) {
    super();
    this.channel = channel;
  }

  override update(values: unknown[]): boolean {
    return this.channel.update(values);
  }

  override get(): unknown {
    return this.channel.get();
  }

  override checkpoint(): unknown {
    return this.channel.checkpoint();
  }

  override isAvailable(): boolean {
    return this.channel.isAvailable();
  }

  override consume(): boolean {
    return this.channel.consume();
  }

  override finish(): boolean {
    return this.channel.finish();
  }
}
