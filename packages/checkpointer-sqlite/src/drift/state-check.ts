import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type ValueCheck, valueCheck } from "@threadkeep/serde/policy";
import { InvalidStateError, type StateIssue } from "../errors.ts";

/** Checks the fields of loaded checkpoints by their schemas. Fields without a value are not looked at. */
export class StateCheck {
  readonly #checks = new Map<string, ValueCheck>();

  constructor(fields: readonly (readonly [name: string, field: unknown])[]) {
    for (const [name, field] of fields) {
      const check = this.#checks.has(name) ? undefined : valueCheck(field);
      if (check !== undefined) this.#checks.set(name, check);
    }
  }

  /** @throws {@link InvalidStateError} */
  async check({ checkpoint, config }: CheckpointTuple): Promise<void> {
    const issues: StateIssue[] = [];
    const causes: unknown[] = [];
    for (const [channel, value] of Object.entries(checkpoint.channel_values)) {
      let found: readonly Pick<StateIssue, "path" | "message">[];
      try {
        found = (await this.#checks.get(channel)?.(value)) ?? [];
      } catch (error) {
        causes.push(error);
        found = [{ path: "", message: "its schema threw an error instead of a verdict" }];
      }
      issues.push(...found.map((issue) => ({ checkpointId: checkpoint.id, channel, ...issue })));
    }
    if (issues.length === 0) return;
    const options = causes.length === 0 ? undefined : { cause: causes[0] };
    throw new InvalidStateError(config.configurable?.thread_id, issues, options);
  }
}
