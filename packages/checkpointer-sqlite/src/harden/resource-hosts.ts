import { isDataField, markOf, type ResourceHost, resourceHostOf } from "@threadkeep/serde/policy";
import { SaverError } from "../errors.ts";
import { type CompiledGraph, middlewareOf } from "../langgraph.ts";

type Field = readonly [name: string, field: unknown];

/** The hosts of live objects that a graph's middleware and options offer. */
export function resourceHosts(
  target: object,
  graph: CompiledGraph,
  given: readonly object[],
  fields: readonly Field[],
): ResourceHost[] {
  const offered = middlewareOf(target, graph).map(resourceHostOf);
  const asked = given.map((resource) => {
    const host = resourceHostOf(resource);
    if (host === undefined)
      throw new SaverError(
        "invalid_options",
        "resources takes what resource() of @threadkeep/middleware gives",
      );
    return host;
  });
  const hosts = [...offered, ...asked].filter((host) => host !== undefined);
  for (const { keys } of hosts) for (const key of keys) assertFree(key, fields);
  return hosts;
}

/** Data under a resource's key would be lost without a word. */
function assertFree(key: string, fields: readonly Field[]): void {
  const declared = fields.filter(([name]) => name === key).map(([, field]) => field);
  if (declared.some((field) => markOf(field) === "untracked") || !declared.some(isDataField))
    return;
  throw new SaverError(
    "invalid_options",
    `The state field ${JSON.stringify(key)} is declared as data, but a resource has that key; give one of them another name`,
  );
}
