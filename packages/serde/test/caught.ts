import { SerdeError } from "../src/index.ts";

/** The SerdeError that `work` throws. */
export function caught(work: () => unknown): SerdeError {
  try {
    work();
  } catch (error) {
    if (SerdeError.is(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
