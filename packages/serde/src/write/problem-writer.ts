import type { SerdeErrorCode } from "../errors.ts";
import { hasExtraKeys } from "../extensions/extra-keys.ts";
import { refusal } from "../kinds/refusal.ts";
import type { Limits } from "../limits.ts";
import type { PathStep } from "../path.ts";
import type { DumpTable } from "./dump-table.ts";
import type { Losses } from "./losses.ts";
import type { Sink } from "./sink.ts";
import { TokenWriter } from "./token-writer.ts";

/** Notes what can't be stored, where the walk stands. */
export class ProblemWriter extends TokenWriter {
  protected readonly table: DumpTable;
  protected readonly losses: Losses;

  constructor(
    sink: Sink,
    limits: Limits,
    at: readonly PathStep[],
    table: DumpTable,
    losses: Losses,
  ) {
    super(sink, limits, at);
    this.table = table;
    this.losses = losses;
  }

  problem(code: SerdeErrorCode, message: string, className?: string, cause?: unknown): void {
    this.losses.add(code, message, className, this.path(), cause);
    this.sink.nil();
  }

  problemAt(step: PathStep, code: SerdeErrorCode, message: string): void {
    this.down();
    this.steps[this.level] = step;
    this.problem(code, message);
    this.level--;
  }

  refuse(value: unknown): void {
    const { code, message, className } = refusal(value, this.table.namedAt(value));
    this.problem(code, message, className);
  }

  loses(message: string, className: string): boolean {
    if (this.losses.accept("flattened", className, this.path())) return false;
    this.losses.add("unsupported_type", message, className, this.path());
    return true;
  }

  hasExtras(value: object, className: string): boolean {
    const message = `a ${className} with extra keys; move them into an object beside it`;
    if (!hasExtraKeys(value) || !this.loses(message, className)) return false;
    this.sink.nil();
    return true;
  }
}
