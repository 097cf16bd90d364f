/**
 * Where a hardened graph finds the live objects of its threads; resources and middleware offer one
 * under {@link RESOURCE_HOST}, so that no package needs to know the other.
 */
export interface ResourceHost {
  /** State keys under which the objects stand. */
  readonly keys: readonly string[];
  /** The thread's objects, created where they are missing. */
  ensure(threadId: string): Promise<Readonly<Record<string, unknown>>>;
  /** The thread's objects as far as they exist. */
  peek(threadId: string): Readonly<Record<string, unknown>>;
  /** Keep the thread's objects from ending until `release` is called as often. */
  retain(threadId: string): void;
  release(threadId: string): void;
  /** End the thread's objects. */
  dispose(threadId: string): Promise<void>;
}

/** The property under which an object offers its {@link ResourceHost}. */
export const RESOURCE_HOST: unique symbol = Symbol.for("threadkeep.resource-host");

export function resourceHostOf(value: unknown): ResourceHost | undefined {
  if (typeof value !== "object" || value === null || !(RESOURCE_HOST in value)) return undefined;
  return (value as { [RESOURCE_HOST]: ResourceHost })[RESOURCE_HOST];
}

/** Several hosts as one. What fails in one does not keep the others from ending. */
export function joinHosts(hosts: readonly ResourceHost[]): ResourceHost {
  return {
    keys: hosts.flatMap(({ keys }) => keys),
    ensure: async (threadId) =>
      Object.assign(
        {},
        ...(await Promise.all(hosts.map((host) => host.ensure(threadId)))),
      ) as Record<string, unknown>,
    peek: (threadId) =>
      Object.assign({}, ...hosts.map((host) => host.peek(threadId))) as Record<string, unknown>,
    retain: (threadId) => hosts.forEach((host) => host.retain(threadId)),
    release: (threadId) => hosts.forEach((host) => host.release(threadId)),
    async dispose(threadId) {
      const results = await Promise.allSettled(hosts.map((host) => host.dispose(threadId)));
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

/** The method by which a saver of this project takes on a host. */
const ADOPT_HOST: unique symbol = Symbol.for("threadkeep.adopt-host");

/**
 * Let a saver take on hosts: it then keeps their objects out of what it stores, as a hardened graph
 * does.
 */
export function offerAdoption(saver: object, adopt: (host: ResourceHost) => void): void {
  Object.defineProperty(saver, ADOPT_HOST, { value: adopt });
}

/** Hand a host to a saver. False when the saver is none that takes it on. */
export function adoptHost(saver: object, host: ResourceHost): boolean {
  const adopt = (saver as { [ADOPT_HOST]?: (host: ResourceHost) => void })[ADOPT_HOST];
  adopt?.(host);
  return adopt !== undefined;
}
