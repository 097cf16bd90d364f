/** Whether an object has no enumerable fields besides what its class keeps inside: those would be lost. */
export function hasNoExtras(value: object): boolean {
  return Object.keys(value).length === 0 && Object.getOwnPropertySymbols(value).length === 0;
}
