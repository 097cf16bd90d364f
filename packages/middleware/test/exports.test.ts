import { expect, it } from "vitest";
import { createRequire } from "node:module";
import * as main from "@threadkeep/middleware";
import * as testing from "@threadkeep/middleware/testing";

it("exports exactly this", () => {
  expect(Object.keys(main).sort()).toEqual([
    "PersistenceError",
    "persistence",
    "privateState",
    "resource",
    "untracked",
  ]);
  expect(Object.keys(testing).sort()).toEqual(["PersistenceTestError", "interruptAndResume"]);
});

it("recognises errors of its CommonJS copy", () => {
  const required = createRequire(import.meta.url)("@threadkeep/middleware") as typeof main;
  const error = new required.PersistenceError("no_thread", "");
  expect(error).not.toBeInstanceOf(main.PersistenceError);
  expect(main.PersistenceError.is(error)).toBe(true);
  expect(main.PersistenceError.is(new Error("other"))).toBe(false);
});
