import { LiveObjects, type ResourceHost } from "@threadkeep/serde/policy";
import { type ConfigLike, requireConfig } from "../config.ts";
import type { ThreadkeepSaver } from "../saver-protocol.ts";
import { KnownCheckpoints } from "./known-checkpoints.ts";
import { PolicySaver } from "./policy-saver.ts";
import { endWithThreads } from "./thread-ends.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * Hosts that a saver was given by a middleware whose graph is not hardened. Their names count in
 * threads for which they hold an object; their objects count everywhere.
 */
export class AdoptedHosts {
  readonly #saver: ThreadkeepSaver;
  readonly #hosts = new Set<ResourceHost>();
  readonly #live = new LiveObjects();
  readonly #checkpoints = new KnownCheckpoints();

  constructor(saver: ThreadkeepSaver) {
    this.#saver = saver;
  }

  adopt(host: ResourceHost): void {
    this.#hosts.add(host);
    endWithThreads(this.#saver, host);
  }

  /** The saver as the call's thread has to see it; undefined where no host has a say. */
  view(config: ConfigLike): PolicySaver | undefined {
    requireConfig(config);
    const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
    if (this.#hosts.size === 0 || typeof threadId !== "string") return undefined;
    const objects = Object.assign(
      {},
      ...[...this.#hosts].map((host) => host.peek(threadId)),
    ) as Record<string, unknown>;
    for (const object of Object.values(objects)) this.#live.add(object);
    const policy = {
      untracked: new Set(Object.keys(objects)),
      private: NONE,
      data: NONE,
      live: this.#live,
    };
    const view = {
      base: this.#saver,
      saver: () => this.#saver,
      rules: { policy, hosts: [...this.#hosts] },
      ns: typeof ns === "string" ? ns : "",
    };
    return new PolicySaver(view, this.#checkpoints);
  }
}
