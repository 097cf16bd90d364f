import type { Known } from "./known.ts";

/** So few objects are looked for one by one, which touches no memory of those that are not them. */
const FEW = 32;

/**
 * Objects that elements have in common with each other, or with what was written beside them, though
 * their documents each hold them as if they were alone there. `tell` is given the element too.
 */
export function findShared(
  known: readonly Known[],
  written: ReadonlyMap<object, unknown>,
  tell: (object: object, element: object) => void,
): void {
  const largest = largestBatch(known);
  // Within a batch nothing is shared: only the smaller ones have to be spread out.
  const owners = new Map<object, object | undefined>();
  for (const object of written.keys()) owners.set(object, undefined);
  const meet = (object: object, element: object): void => {
    const other = owners.get(object);
    if (other === element) return;
    tell(object, element);
    if (other !== undefined) tell(object, other);
  };
  for (const { batch, element, snapshot } of known) {
    if (batch === largest) continue;
    for (let i = 0; i < snapshot.ownCount; i++) {
      const object = snapshot.objects[i] as object;
      if (owners.has(object)) meet(object, element);
      else owners.set(object, element);
    }
  }
  const few = owners.size <= FEW ? [...owners.keys()] : undefined;
  for (const { batch, element, snapshot } of known) {
    if (batch !== largest) continue;
    const { objects, ownCount } = snapshot;
    for (let i = 0; i < ownCount; i++) {
      const object = objects[i] as object;
      if (few === undefined ? owners.has(object) : few.includes(object)) meet(object, element);
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
