import type { PendingWrite } from "@langchain/langgraph-checkpoint";
import {
  isDataField,
  markOf,
  type ResourceHost,
  resourceHostOf,
  type StatePolicy,
} from "@threadkeep/serde/policy";
import { SaverError } from "../errors.ts";
import { kindOf } from "../kind-of.ts";
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

/**
 * Refuse data that is written under a resource's key, where the field's schema could not tell: it
 * would not be stored, and nobody would know.
 *
 * @throws {@link SaverError} `unsupported`
 */
export function assertNoData(
  writes: readonly PendingWrite[],
  hosts: readonly ResourceHost[],
  { untracked, live }: StatePolicy,
): void {
  if (hosts.length === 0) return;
  const keys = new Set(hosts.flatMap((host) => host.keys).filter((key) => untracked.has(key)));
  const lost = writes.find(([key, value]) => keys.has(key) && isPlainData(value, live));
  if (lost === undefined) return;
  throw new SaverError(
    "unsupported",
    `The state field ${JSON.stringify(lost[0])} is a resource's and is never stored, but ${kindOf(lost[1])} was written to it; give one of them another name`,
  );
}

/** What no live object is. */
function isPlainData(value: unknown, live: StatePolicy["live"]): boolean {
  if (value === null || value === undefined || typeof value === "function") return false;
  return typeof value !== "object" || (Array.isArray(value) && !live.has(value));
}
