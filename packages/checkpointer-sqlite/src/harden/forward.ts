import type { ThreadkeepSaver } from "../saver-protocol.ts";

/** What the saver can do besides (`close`, `copyThread`, …) is done by it. */
export function forward(view: object, saver: () => ThreadkeepSaver): void {
  for (
    let at: object | null = Object.getPrototypeOf(saver()) as object;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value !== "function" || name in view) continue;
      Object.defineProperty(view, name, {
        value: (...args: unknown[]) =>
          (saver() as unknown as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args),
      });
    }
  }
}
