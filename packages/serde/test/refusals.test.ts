import { describe, expect, it } from "vitest";
import { MsgpackSerializer } from "../src/index.ts";
import { caught } from "./caught.ts";
import { refusals } from "./cases/refusals.ts";

const serializer = new MsgpackSerializer();

describe.each(refusals)("$name", ({ value, problems, advice }) => {
  it("is refused with every bad place named", () => {
    const error = caught(() => serializer.dumps(value()));
    expect(
      error.problems.map(({ code, path, className }) => [code, path, className]),
    ).toStrictEqual(
      problems.map(([code, path, className]) => [
        code,
        path,
        className ?? expect.toSatisfy(() => true),
      ]),
    );
    expect(error.code).toBe(problems[0]?.[0]);
    expect(error.path).toBe(problems[0]?.[1]);
    for (const [, path] of problems) expect(error.message).toContain(path);
    if (advice !== undefined) expect(error.message).toContain(advice);
  });

  it("is refused without a word of its content", () => {
    const error = caught(() => serializer.dumps({ a: value(), b: value() }));
    const told = JSON.stringify([error.message, error.problems, error.stack, String(error.cause)]);
    expect(told).not.toContain("SECRET");
  });

  it("leaves the serializer as good as before", () => {
    caught(() => serializer.dumps(["left over", value()]));
    expect(serializer.loads(serializer.dumps({ a: 1 }))).toStrictEqual({ a: 1 });
  });
});

it("names where the value stands in a larger one", () => {
  const error = caught(() => serializer.write({ fn: () => 1 }, { at: ["channel_values", "cart"] }));
  expect(error.path).toBe("channel_values.cart.fn");
});

it("stops listing problems at a hundred", () => {
  const error = caught(() => serializer.dumps(Array.from({ length: 500 }, () => () => 1)));
  expect(error.problems).toHaveLength(100);
});

it("tells of a getter that throws, with its place", () => {
  const value = {
    list: [
      {
        get broken(): never {
          throw new TypeError("SECRET");
        },
      },
    ],
  };
  const error = caught(() => serializer.dumps(value));
  expect([error.code, error.path]).toStrictEqual(["dump_failed", "list[0].broken"]);
  expect(error.message).not.toContain("SECRET");
});
