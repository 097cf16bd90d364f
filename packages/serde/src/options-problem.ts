/**
 * What is wrong with an options object, to be said after the name of who takes it; undefined when
 * nothing is. A misspelt name is an error everywhere: what it was to switch on would stay off
 * without a word. `others` are names that an option has elsewhere.
 */
export function optionsProblem(
  options: unknown,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string | undefined {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    return `takes an object of options (${known.join(", ")})`;
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const near = unknown
    .map((name) => (Object.hasOwn(others, name) ? others[name] : nearestName(name, known)))
    .find((name) => name !== undefined);
  const hint = near === undefined ? "." : `; did you mean ${near}?`;
  return `has no option ${unknown.map((name) => name.slice(0, 40)).join(", ")}${hint} Known: ${known.join(", ")}`;
}

/** The known name that somebody who wrote this one may have meant. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  return [...known].find((name) => isNear(written, name));
}

function isNear(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return (a.length > 2 && (a.includes(b) || b.includes(a))) || distance(a, b) <= 2;
}

/** How many letters have to be changed, added or left out. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const changed = (row[j - 1] as number) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[right.length] as number;
}
