import { expect, it } from "vitest";
import * as policy from "../src/policy/index.ts";
import * as serde from "../src/index.ts";

it("exports exactly this", () => {
  expect(Object.keys(serde).sort()).toStrictEqual([
    "Ext",
    "InertValue",
    "MsgpackSerializer",
    "NonSerializableStateError",
    "SerdeError",
    "TYPE",
    "assertSerializable",
    "collectTypes",
    "defineType",
    "isInert",
    "scan",
  ]);
});

it("keeps the codes of the wire", () => {
  expect(serde.Ext).toMatchInlineSnapshot(`
    {
      "BIGINT": 17,
      "BYTES": 18,
      "CIPHER": 40,
      "CODEC": 41,
      "CONTROL": 28,
      "DATE": 26,
      "DELTA_SNAPSHOT": 7,
      "ERROR": 23,
      "GRAPH": 32,
      "JOIN": 43,
      "KW_ARGS": 2,
      "MAP": 20,
      "MESSAGE": 27,
      "METHOD": 3,
      "NUMPY": 6,
      "OPEN": 33,
      "PART": 42,
      "PLACE": 44,
      "POS_ARGS": 1,
      "PYDANTIC_V1": 4,
      "PYDANTIC_V2": 5,
      "RECORD": 22,
      "REF": 34,
      "REGEXP": 24,
      "SET": 21,
      "SINGLE_ARG": 0,
      "SPECIAL": 16,
      "TEXT": 19,
      "URL": 25,
    }
  `);
});

it("offers what a serializer has", () => {
  const members = Object.getOwnPropertyNames(serde.MsgpackSerializer.prototype).sort();
  expect(members).toStrictEqual([
    "constructor",
    "dumps",
    "dumpsTyped",
    "limits",
    "loads",
    "loadsTyped",
    "mode",
    "problems",
    "read",
    "withAllowlist",
    "write",
  ]);
});

it("has a policy entry", () => {
  expect(Object.keys(policy)).toContain("untracked");
});
