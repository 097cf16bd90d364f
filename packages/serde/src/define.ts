/** Set an own field whatever its name: assignment would reach setters and the prototype. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = true): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}
