import type { Types } from "@threadkeep/serde";
import {
  joinHosts,
  LiveObjects,
  type ResourceHost,
  type StatePolicy,
} from "@threadkeep/serde/policy";
import type { StateCheck } from "../drift/state-check.ts";
import { StateDrift } from "../drift/state-drift.ts";
import type { Ending } from "./thread-ends.ts";
import { type ScanMode, StateScan, stricter } from "./state-scan.ts";

/** What a call of `withAllowlist` says about a graph. */
export interface Rules {
  readonly untracked: readonly string[];
  readonly private: readonly string[];
  /** Untracked fields whose values are plain data, which may stand elsewhere in the state too. */
  readonly data: readonly string[];
  readonly hosts: readonly ResourceHost[];
  readonly types: Types;
  readonly scan: ScanMode;
  readonly drift: StateDrift | undefined;
  readonly check: StateCheck | undefined;
  readonly isAgent: boolean;
}

/** What a graph's view of a saver goes by. */
export interface ViewRules {
  readonly policy: StatePolicy;
  readonly hosts: readonly ResourceHost[];
  /** Looks at what nodes write, before it is stored. */
  readonly scan?: StateScan | undefined;
  /** Takes the graph's own checkpoints from the version that they were stored in to the present one. */
  readonly drift?: StateDrift | undefined;
  /** Checks them by the graph's schemas. */
  readonly check?: StateCheck | undefined;
}

/** What one graph and its copies are hardened with. It only grows: more names, more types. */
export class Hardening implements ViewRules, Ending {
  readonly #untracked = new Set<string>();
  readonly #private = new Set<string>();
  readonly #data = new Set<string>();
  readonly #types: Types[] = [];
  #hosts: readonly ResourceHost[] = [];
  #scan: StateScan | undefined;
  #drift: StateDrift = new StateDrift();
  #check: StateCheck | undefined;
  readonly policy: StatePolicy = {
    untracked: this.#untracked,
    private: this.#private,
    data: this.#data,
    live: new LiveObjects(),
  };

  get types(): readonly Types[] {
    return this.#types;
  }

  get hosts(): readonly ResourceHost[] {
    return this.#hosts;
  }

  get scan(): StateScan | undefined {
    return this.#scan;
  }

  get drift(): StateDrift {
    return this.#drift;
  }

  get check(): StateCheck | undefined {
    return this.#check;
  }

  dispose(threadId: string): Promise<void> {
    return joinHosts(this.hosts).dispose(threadId);
  }

  add(rules: Rules): void {
    for (const name of rules.untracked) this.#untracked.add(name);
    for (const name of rules.private) this.#private.add(name);
    // What is never stored needs no place of its own.
    for (const name of this.#untracked) this.#private.delete(name);
    for (const name of rules.data) this.#data.add(name);
    // A new list: a call that goes on has its own.
    this.#hosts = [...new Set([...this.#hosts, ...rules.hosts])];
    this.#types.push(rules.types);
    const mode = stricter(this.#scan?.mode ?? "off", rules.scan);
    if (mode !== "off" && mode !== this.#scan?.mode)
      this.#scan = new StateScan(mode, rules.isAgent);
    this.#drift = rules.drift ?? this.#drift;
    this.#check = rules.check ?? this.#check;
  }
}
