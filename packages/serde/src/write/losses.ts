import type { Problem, SerdeErrorCode } from "../errors.ts";
import { SerdeError } from "../errors.ts";
import type { SerdeEvent } from "../events.ts";

/** What a caller hears of values that are stored as less than they are. */
export type OnLoss = (event: SerdeEvent & { readonly kind: "flattened" | "dropped" }) => void;

const MAX_PROBLEMS = 100;

/** Collects what one walk can't keep: problems, or in lenient mode losses that are told and accepted. */
export class Losses {
  readonly #problems: Problem[] = [];
  readonly #onLoss: OnLoss | undefined;

  readonly #maxProblems: number;
  #cause: unknown;

  /** Lenient when there is a listener. */
  constructor(onLoss: OnLoss | undefined, maxProblems: number = MAX_PROBLEMS) {
    this.#onLoss = onLoss;
    this.#maxProblems = maxProblems;
  }

  get isLenient(): boolean {
    return this.#onLoss !== undefined;
  }

  /** Note a problem; the first cause becomes that of the error. */
  add(
    code: SerdeErrorCode,
    message: string,
    className: string | undefined,
    path: string,
    cause?: unknown,
  ): void {
    if (this.#problems.length >= this.#maxProblems) return;
    this.#cause ??= cause;
    const name = className === undefined ? {} : { className };
    this.#problems.push({ code, path, message, ...name });
  }

  /** Tell that an object is stored as less than it is. False in strict mode: that is a problem then. */
  accept(kind: "flattened" | "dropped", className: string, path: string): boolean {
    this.#onLoss?.({ kind, className, path });
    return this.isLenient;
  }

  /** What ended the walk, behind what was found before. */
  with(end: SerdeError): SerdeError {
    const [first, ...others] = this.#problems;
    if (first === undefined) return end;
    return new SerdeError([first, ...others, ...end.problems], { cause: end.cause ?? end });
  }

  throwIfAny(): void {
    if (this.#problems.length === 0) return;
    const options = this.#cause === undefined ? undefined : { cause: this.#cause };
    throw new SerdeError(this.#problems as [Problem, ...Problem[]], options);
  }
}
