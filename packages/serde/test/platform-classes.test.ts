import { describe, expect, it } from "vitest";
import { MsgpackSerializer, type Types } from "../src/index.ts";
import { caught } from "./caught.ts";

/** Instances of classes that keep what they hold where no field shows it, by the class's name. */
const instances: Readonly<Record<string, readonly [type: object, value: object]>> = {
  DOMException: [DOMException, new DOMException("no", "AbortError")],
  NumberFormat: [Intl.NumberFormat, new Intl.NumberFormat("de")],
  DateTimeFormat: [Intl.DateTimeFormat, new Intl.DateTimeFormat("de")],
  Headers: [Headers, new Headers({ a: "b" })],
  URLSearchParams: [URLSearchParams, new URLSearchParams("a=1")],
  Blob: [Blob, new Blob(["a"])],
  Response: [Response, new Response("x")],
  TextEncoder: [TextEncoder, new TextEncoder()],
};

describe.each(Object.entries(instances))("%s", (name, [type, value]) => {
  it("is refused with advice that works", () => {
    const error = caught(() => new MsgpackSerializer().dumps({ value }));
    expect(error.code).toBe("unregistered_class");
    expect(error.message).toContain(`types: { ${name}: defineType({ … }) }`);
  });

  it("can't be listed by its fields alone", () => {
    const types = { [name]: type } as unknown as Types;
    const error = caught(() => new MsgpackSerializer({ types }));
    expect(error.code).toBe("invalid_options");
    expect(error.message).toContain("is a class of the platform");
  });
});

it("refuses a class that extends one of the platform, unless it says how it is stored", () => {
  class Labelled extends EventTarget {
    label = "x";
  }
  const error = caught(() => new MsgpackSerializer({ types: { Labelled } }));
  expect(error.message).toContain("extends EventTarget");
});

it("takes a class of the program that is a global", () => {
  class Shared {
    n = 1;
  }
  Object.assign(globalThis, { Shared });
  try {
    const serializer = new MsgpackSerializer({ types: { Shared } });
    expect(serializer.loads(serializer.dumps(new Shared()))).toEqual(new Shared());
  } finally {
    Reflect.deleteProperty(globalThis, "Shared");
  }
});

it("calls iterators by what they say they are", () => {
  expect(caught(() => new MsgpackSerializer().dumps({ rows: new Map().entries() })).message).toBe(
    "rows: a live Map Iterator can't be stored; mark its field untracked(…), or keep it in a resource",
  );
});
