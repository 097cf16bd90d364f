const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

type End = () => Promise<void>;

/**
 * What is to be ended with the process. It hangs on the process itself, because that is what it
 * belongs to: one set of listeners serves every resource, also of another copy of this package.
 */
const ENDS: unique symbol = Symbol.for("threadkeep.process-end");

interface EndingProcess {
  [ENDS]?: Set<End>;
}

/**
 * Call `end` when the process ends: by itself, by `process.exit()`, or by a signal that nobody else
 * handles. An app that handles a signal decides itself when it ends. Gives a function that forgets it.
 */
export function onProcessEnd(end: End): () => void {
  const { [ENDS]: known } = process as EndingProcess;
  const ends = known ?? listen();
  ends.add(end);
  return () => {
    ends.delete(end);
  };
}

function listen(): Set<End> {
  const ends = new Set<End>();
  (process as EndingProcess)[ENDS] = ends;
  const endAll = async (): Promise<void> => {
    const all = [...ends];
    ends.clear();
    await Promise.allSettled(all.map((end) => end()));
  };
  process.on("beforeExit", () => void endAll());
  process.on("exit", () => void endAll());
  for (const signal of SIGNALS) {
    const handler = (): void => {
      if (process.listenerCount(signal) > 1) return;
      void endAll().finally(() => {
        // Listening took the signal's own effect away.
        process.off(signal, handler);
        process.kill(process.pid, signal);
      });
    };
    process.on(signal, handler);
  }
  return ends;
}
