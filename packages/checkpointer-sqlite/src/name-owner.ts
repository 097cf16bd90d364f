import { SerdeError } from "@threadkeep/serde";
import { ownerOfPath } from "./langgraph-tasks.ts";

/** Run `work`; errors of the serializer tell who wrote the value. */
export function namingOwner<T>(taskPath: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const owner = SerdeError.is(error) ? ownerOfPath(taskPath) : undefined;
    if (SerdeError.is(error) && owner !== undefined)
      error.message = `${owner.replace(/^node/, "Node")}: ${error.message}`;
    throw error;
  }
}
