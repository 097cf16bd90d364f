/** Thrown by every call of a saver from the moment on at which its process is taken to have died. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** Which call ends the process, and whether it still has its effect. */
export interface CrashPoint {
  readonly call: number;
  readonly when: "before" | "after";
}

/** One life of a process: what happens in it after its end does not count. */
export interface Life {
  calls: number;
  isOver: boolean;
}

type Call = (...args: unknown[]) => unknown;

/** The methods that reach storage. */
const CALLS = new Set<PropertyKey>(["getTuple", "put", "putWrites"]);

/**
 * A saver whose process dies at a certain call. `watch` sees what is about to be stored.
 */
export function crashing<S extends object>(
  saver: S,
  life: Life,
  point: CrashPoint | undefined,
  watch: (method: string, args: readonly unknown[]) => void,
): S {
  const proxy: S = new Proxy(saver, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (!CALLS.has(key)) {
        return (...args: unknown[]) => {
          const result = (value as Call).apply(target, args);
          return result === target ? proxy : result;
        };
      }
      return async (...args: unknown[]) => {
        if (life.isOver) throw new Crash();
        const isLast = ++life.calls === point?.call;
        if (isLast && point?.when === "before") return die();
        watch(key as string, args);
        const result = await (value as Call).apply(target, args);
        if (isLast) return die();
        return result;
      };
    },
  });
  return proxy;

  function die(): never {
    life.isOver = true;
    throw new Crash();
  }
}
