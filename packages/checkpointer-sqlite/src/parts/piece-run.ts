import type { Known } from "./known.ts";
import type { KnownPiece } from "./known-piece.ts";
import { Slot } from "./slot.ts";
import { UNNAMED } from "./tokens.ts";

/** Elements of a list, one after another, that are those of a piece from its first on. */
export class PieceRun {
  piece: KnownPiece | undefined;
  readonly #slots: Slot[];
  #next = 0;
  /** The first element's place in the list. */
  #start = 0;

  /** The slots of the list, to which the run adds. */
  constructor(slots: Slot[]) {
    this.#slots = slots;
  }

  begin(piece: KnownPiece, at: () => readonly unknown[]): void {
    this.piece = piece;
    this.#next = 0;
    this.#start = indexIn(at);
  }

  /** Add an element, if it is the next one. */
  take(element: object, at: () => readonly unknown[]): boolean {
    const { items } = this.piece as KnownPiece;
    if (element !== items[this.#next]) return false;
    // Numbers and texts between them are nothing that the run is told of.
    if (this.#next === items.length - 1 && indexIn(at) - this.#start !== this.#next) return false;
    this.#next++;
    const slot = new Slot(element, UNNAMED);
    slot.kept = this.piece;
    this.#slots.push(slot);
    return true;
  }

  get isDone(): boolean {
    return this.#next === this.piece?.items.length;
  }

  /** The piece whose elements were all taken. */
  end(): KnownPiece {
    const piece = this.piece as KnownPiece;
    this.piece = undefined;
    return piece;
  }

  /** Give up; `known` are the elements of the piece. Gives those that were taken, and their slots. */
  leave(known: readonly Known[]): (readonly [Slot, Known])[] {
    const taken = this.#slots.slice(this.#slots.length - this.#next);
    this.piece = undefined;
    return taken.map((slot, i) => {
      const element = known[i] as Known;
      slot.kept = undefined;
      slot.known = element;
      return [slot, element] as const;
    });
  }
}

function indexIn(at: () => readonly unknown[]): number {
  return Number(at().at(-1));
}
