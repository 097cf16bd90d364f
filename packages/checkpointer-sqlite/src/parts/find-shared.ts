import type { Known } from "./known.ts";

/**
 * Objects that elements have in common with each other, or with what was written beside them, though
 * their documents each hold them as if they were alone there. `tell` is given the element too.
 */
export function findShared(
  known: readonly Known[],
  isWritten: (object: object) => boolean,
  tell: (object: object, element: object) => void,
): void {
  const largest = largestBatch(known);
  // Within a batch nothing is shared: only the smaller ones have to be spread out.
  const owners = new Map<object, object>();
  for (const { batch, element, snapshot } of known) {
    for (const object of snapshot.own) {
      if (isWritten(object)) tell(object, element);
      if (batch === largest) continue;
      const other = owners.get(object);
      if (other === undefined) owners.set(object, element);
      else if (other !== element) {
        tell(object, element);
        tell(object, other);
      }
    }
  }
  if (owners.size === 0) return;
  for (const { batch, element, snapshot } of known) {
    if (batch !== largest) continue;
    for (const object of snapshot.own) {
      const other = owners.get(object);
      if (other === undefined) continue;
      tell(object, element);
      tell(object, other);
    }
  }
}

function largestBatch(known: readonly Known[]): number {
  const sizes = new Map<number, number>();
  let largest = 0;
  for (const { batch } of known) {
    const size = (sizes.get(batch) ?? 0) + 1;
    sizes.set(batch, size);
    if (size > (sizes.get(largest) ?? 0)) largest = batch;
  }
  return largest;
}
