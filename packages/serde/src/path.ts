/** One step into a value: an object key, an array index, or a step that prints itself. */
export type PathStep = string | number | { readonly text: string };

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MAX_KEY = 60;

/**
 * Print a path the way one would write it in code.
 *
 * @example
 * ```ts
 * formatPath(["messages", 3, "artifact", "my-key"]); // 'messages[3].artifact["my-key"]'
 * ```
 */
export function formatPath(steps: readonly (PathStep | undefined)[]): string {
  let text = "";
  for (const step of steps) {
    if (step === undefined) continue;
    if (typeof step === "number") text += `[${step}]`;
    else if (typeof step === "object") text += join(text, step.text);
    else if (IDENTIFIER.test(step) && step.length <= MAX_KEY)
      text += text === "" ? step : `.${step}`;
    else text += `[${quote(step)}]`;
  }
  return text;
}

function join(before: string, step: string): string {
  if (before === "") return step.startsWith(".") ? step.slice(1) : step;
  return step.startsWith(".") ? step : ` → ${step}`;
}

/** The step to the value under `key` of a Map; keys that are objects print as their kind. */
export function mapStep(key: unknown): PathStep {
  if (typeof key === "string") return { text: `.get(${quote(key)})` };
  if (typeof key === "bigint") return { text: `.get(${key}n)` };
  if (typeof key === "object" && key !== null) return { text: ".get(<object>)" };
  return { text: `.get(${String(key)})` };
}

function quote(key: string): string {
  return JSON.stringify(key.length > MAX_KEY ? `${key.slice(0, MAX_KEY)}…` : key);
}
