import type { OnLoss } from "./losses.ts";

/** Adds a warning of the process for each class that a loss is about, the first time. */
export function warnOnce(onLoss: OnLoss): OnLoss {
  const warned = new Set<string>();
  return (loss) => {
    if (!warned.has(loss.className)) {
      warned.add(loss.className);
      const done = loss.kind === "dropped" ? "left out of" : "flattened in";
      process.emitWarning(
        `${loss.className} at ${loss.path || "the root"} is ${done} what is stored`,
        {
          type: "ThreadkeepWarning",
          detail: "mode is lenient; in strict mode this is an error",
        },
      );
    }
    onLoss(loss);
  };
}
