import { types } from "node:util";

/** Whether an object is nothing but its fields, whatever its prototype says. */
export function isPlain(value: object): boolean {
  return (
    Object.prototype.toString.call(value) === "[object Object]" &&
    !(types.isMap(value) || types.isSet(value) || types.isPromise(value)) &&
    !(types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) &&
    !(types.isWeakMap(value) || types.isWeakSet(value))
  );
}
