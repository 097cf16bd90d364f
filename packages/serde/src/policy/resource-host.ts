/**
 * Where a hardened graph finds the live objects of its threads; a middleware offers one under
 * {@link RESOURCE_HOST}, so that neither package needs to know the other.
 */
export interface ResourceHost {
  /** State keys under which the objects stand. */
  readonly keys: readonly string[];
  /** The thread's objects, created where they are missing. */
  ensure(threadId: string): Promise<Readonly<Record<string, unknown>>>;
  /** The thread's objects as far as they exist. */
  peek(threadId: string): Readonly<Record<string, unknown>>;
  /** End the thread's objects. */
  dispose(threadId: string): Promise<void>;
}

/** The property under which an object offers its {@link ResourceHost}. */
export const RESOURCE_HOST: unique symbol = Symbol.for("threadkeep.resource-host");

export function resourceHostOf(value: unknown): ResourceHost | undefined {
  if (typeof value !== "object" || value === null || !(RESOURCE_HOST in value)) return undefined;
  return (value as { [RESOURCE_HOST]: ResourceHost })[RESOURCE_HOST];
}
