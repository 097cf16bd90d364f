interface Payload {
  readonly name: string;
  readonly tag: string;
  readonly hex: string;
}

export function findPython(): string | undefined;
export function vectors(python: string): Payload[];
export function check(
  python: string,
  cases: readonly (Payload & { readonly vector?: string; readonly python?: string })[],
): { readonly name: string; readonly verdict: string }[];
export function writeFixture(name: string, rows: readonly object[]): void;
