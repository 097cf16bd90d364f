import type { AnyClass } from "./any-class.ts";

/** A class that a graph's state may hold, as its schemas say. */
export interface CollectedType {
  readonly class: AnyClass;
  /** Where it was found first: `state.cart[].price`, `tool search input.query`, `default of total`. */
  readonly at: string;
}
