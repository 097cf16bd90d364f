import { adoptHost, type ResourceHost } from "@threadkeep/serde/policy";
import { PersistenceError } from "./errors.ts";
import { hideFromJson, type RuntimeLike, saverOf } from "./langgraph.ts";

/** `strict` refuses a saver that would store live objects; `lenient` warns once and goes on. */
export type PersistenceMode = "strict" | "lenient";

/** What to do about state that can't be stored: nothing, a warning, or an error. */
export type ScanMode = "off" | "warn" | "throw";

/** The property by which a middleware asks a hardened graph for a scan of what its steps make. */
export const SCAN: unique symbol = Symbol.for("threadkeep.scan");

/** Sees to it that the saver of a run keeps the host's objects out of what it stores. */
export class SaverCheck {
  /** Strict whatever was asked for, where the environment says so. */
  readonly mode: PersistenceMode;
  readonly #host: ResourceHost;
  readonly #scan: ScanMode;
  #isForeign = false;
  #warned = false;

  constructor(host: ResourceHost, mode: PersistenceMode, scan: ScanMode) {
    if (!["off", "warn", "throw"].includes(scan)) {
      throw new PersistenceError("invalid_options", 'scan must be "off", "warn" or "throw"');
    }
    if (mode !== "strict" && mode !== "lenient") {
      throw new PersistenceError("invalid_options", 'mode must be "strict" or "lenient"');
    }
    this.#host = host;
    this.mode = isStrictForced() ? "strict" : mode;
    this.#scan = scan;
  }

  /** The run's thread, once its saver is known to keep the objects out; undefined without a thread. */
  enter(runtime: RuntimeLike): string | undefined {
    const threadId = runtime.configurable?.thread_id;
    if (typeof threadId !== "string" || threadId === "") return undefined;
    const saver = saverOf(runtime);
    if (typeof saver !== "object" || saver === null) return threadId;
    if (this.#scan !== "off" && !isHardened(saver)) {
      throw new PersistenceError(
        "unsupported_saver",
        "scan needs a hardened agent: withAllowlist(createAgent({ … }))",
      );
    }
    if (!adoptHost(saver, this.#host)) this.#meetForeign(saver);
    return threadId;
  }

  /** Over a foreign saver the objects turn into nothing where they are serialized. */
  hide(objects: Readonly<Record<string, unknown>>): void {
    if (!this.#isForeign) return;
    for (const object of Object.values(objects)) {
      if (typeof object === "object" && object !== null) hideFromJson(object);
    }
  }

  #meetForeign(saver: object): void {
    if (this.mode === "strict") {
      throw new PersistenceError(
        "unsupported_saver",
        `${nameOf(saver)} would store live objects. Harden the agent: withAllowlist(createAgent({ … })), ` +
          "or wrap the saver: checkpointer: wrapSaver(saver). Both are in @threadkeep/checkpointer-sqlite",
      );
    }
    this.#isForeign = true;
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(
      `persistence() runs over ${nameOf(saver)}, which does not keep values exactly; use checkpointer: wrapSaver(saver) of @threadkeep/checkpointer-sqlite`,
      { type: "ThreadkeepWarning", code: "unsupported_saver" },
    );
  }
}

/** Whether the saver is a hardened graph's own view. */
function isHardened(saver: object): boolean {
  return Symbol.for("threadkeep.policy-saver") in saver;
}

function nameOf(saver: object): string {
  const name: unknown = saver.constructor?.name;
  return typeof name === "string" && name !== "" ? name : "This saver";
}

/** LangGraph for Python's switch, with Python's words for yes. */
function isStrictForced(): boolean {
  return ["1", "true", "yes"].includes((process.env.LANGGRAPH_STRICT_MSGPACK ?? "").toLowerCase());
}
