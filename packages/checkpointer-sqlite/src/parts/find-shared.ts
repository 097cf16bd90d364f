import type { Known } from "./known.ts";
import type { KnownPiece } from "./known-piece.ts";

/** So few objects are looked for one by one, which touches no memory of those that are not them. */
const FEW = 32;

/**
 * Objects that elements have in common with each other, or with what was written beside them, though
 * their documents each hold them as if they were alone there. `tell` is given the element too.
 */
export function findShared(
  unchanged: readonly (Known | KnownPiece)[],
  written: ReadonlyMap<object, unknown>,
  tell: (object: object, element: object) => void,
): void {
  const largest = largestBatch(unchanged);
  // Within a batch nothing is shared: only the smaller ones have to be spread out.
  const owners = new Map<object, object | undefined>();
  for (const object of written.keys()) owners.set(object, undefined);
  const meet = (object: object, element: object): void => {
    const other = owners.get(object);
    if (other === element) return;
    tell(object, element);
    if (other !== undefined) tell(object, other);
  };
  for (const known of unchanged) {
    if (known.batch === largest) continue;
    for (let i = 0; i < known.ownCount; i++) {
      const object = known.objects[i] as object;
      const element = known.elementAt(i);
      if (owners.has(object)) meet(object, element);
      else owners.set(object, element);
    }
  }
  const few = owners.size <= FEW ? [...owners.keys()] : undefined;
  for (const known of unchanged) {
    if (known.batch !== largest) continue;
    const { objects, ownCount } = known;
    for (let i = 0; i < ownCount; i++) {
      const object = objects[i] as object;
      if (few === undefined ? owners.has(object) : few.includes(object))
        meet(object, known.elementAt(i));
    }
  }
}

function largestBatch(unchanged: readonly (Known | KnownPiece)[]): number {
  const sizes = new Map<number, number>();
  let largest = 0;
  for (const { batch, ownCount } of unchanged) {
    const size = (sizes.get(batch) ?? 0) + ownCount;
    sizes.set(batch, size);
    if (size > (sizes.get(largest) ?? 0)) largest = batch;
  }
  return largest;
}
