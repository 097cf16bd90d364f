import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { Document } from "@langchain/core/documents";
import { Command, Overwrite, Send } from "@langchain/langgraph";
import * as fc from "fast-check";

/** Key names that some serializer gives a meaning, and plain ones. */
const key = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(
    ..."lc type id kwargs node args __proto__ constructor prototype lg_name goto update".split(" "),
    ..."toJSON then value __overwrite__ content role data name __lc_escaped__ 0 1 01 -1".split(" "),
  ),
);

const jsonScalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(1, 2, "constructor", "undefined", "secret", "human", "Set", "Map", "", 0),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => (Object.is(it, -0) ? 0 : it)),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);

/** A record with any own keys, `__proto__` too. */
function record<T>(value: fc.Arbitrary<T>, maxKeys = 5): fc.Arbitrary<object> {
  return fc.array(fc.tuple(key, value), { maxLength: maxKeys }).map((entries) => {
    const made = {};
    for (const [name, item] of entries) own(made, name, item);
    return made;
  });
}

/** What `JSON.parse` may give. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small", withCrossShrink: true },
    jsonScalar,
    fc.array(tie("value"), { maxLength: 5 }),
    record(tie("value")),
  ),
})).value;

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("é".repeat(40), "🚀".repeat(200), "\uFEFFx", "a\uD800", "\0t", "\0k0"),
);

const scalar = fc.oneof(
  jsonScalar,
  text,
  fc.double(),
  fc.bigInt(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.constantFrom(
    undefined,
    -0,
    Number.NaN,
    Infinity,
    2n ** 53n,
    2n ** 63n,
    2n ** 64n,
    -(2n ** 63n),
  ),
);

const leaf = fc.oneof(
  scalar,
  fc.date({ noInvalidDate: false }),
  fc.uint8Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 5 }),
  fc.float64Array({ maxLength: 5 }),
  fc.bigInt64Array({ maxLength: 3 }),
  fc.int16Array({ maxLength: 5 }),
  fc.uint8ClampedArray({ maxLength: 5 }),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => bytes.slice().buffer),
  fc.uint8Array({ maxLength: 5 }).map((bytes) => new DataView(bytes.slice().buffer)),
  fc.constantFrom(/a/, /b/gi, /c/msu, /d/y).map((it) => new RegExp(it.source, it.flags)),
  fc.webUrl({ withQueryParameters: true }).map((href) => new URL(href)),
);

const holey = fc
  .tuple(fc.array(leaf, { maxLength: 4 }), fc.array(fc.nat(6), { maxLength: 2 }))
  .map(([items, holes]) => {
    const list: unknown[] = [...items];
    for (const at of holes) {
      if (at >= list.length) list.length = at + 1;
      else delete list[at];
    }
    return list;
  });

/** A value of any kind that is kept. */
export const rich: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const value = tie("value");
  const values = fc.array(value, { maxLength: 4 });
  const pairs = fc.array(fc.tuple(value, value), { maxLength: 4 });
  return {
    value: fc.oneof({ maxDepth: 4, depthSize: "small" }, leaf, tie("container")),
    container: fc.oneof(
      values,
      holey,
      record(value),
      record(value).map((it) => Object.setPrototypeOf(it, null) as object),
      values.map((items) => new Set(items)),
      pairs.map((entries) => new Map(entries)),
      fc
        .tuple(text, record(value))
        .map(([message, fields]) => withFields(new TypeError(message), fields)),
      value.map((cause) => new Error("x", { cause })),
      values.map((errors) => new AggregateError(errors)),
      fc
        .tuple(text, record(value))
        .map(
          ([content, kwargs]) => new HumanMessage({ content, additional_kwargs: kwargs as never }),
        ),
      fc
        .tuple(text, value)
        .map(([content, artifact]) => new ToolMessage({ content, tool_call_id: "c", artifact })),
      fc
        .tuple(text, record(value))
        .map(
          ([content, args]) =>
            new AIMessage({ content, tool_calls: [{ name: "t", args: args as never, id: "1" }] }),
        ),
      fc
        .tuple(text, value)
        .map(([content, extra]) => Object.assign(new SystemMessage(content), { extra })),
      fc
        .tuple(text, record(value))
        .map(
          ([pageContent, metadata]) => new Document({ pageContent, metadata: metadata as never }),
        ),
      fc.tuple(text, value).map(([node, args]) => Object.assign(new Send("n", {}), { node, args })),
      fc
        .tuple(value, value)
        .map(([update, resume]) => new Command({ update: update as never, resume })),
      value.map((item) => new Overwrite(item)),
    ),
  };
}).value;

/** Records and lists that hold each other in any way. */
export const tangle: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.array(fc.constantFrom("record", "list", "map", "set", "error", "message"), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.nat(3)), { maxLength: 24 }),
  )
  .map(([kinds, links]) => {
    const nodes = kinds.map(makeNode);
    for (const [from, to, how] of links) {
      const node = nodes[from % nodes.length] as object;
      link(node, nodes[to % nodes.length] as object, how);
    }
    return nodes[0];
  });

function makeNode(kind: string): object {
  switch (kind) {
    case "list":
      return [];
    case "map":
      return new Map();
    case "set":
      return new Set();
    case "error":
      return new RangeError("x");
    case "message":
      return new HumanMessage({ content: "x", additional_kwargs: {} });
    default:
      return {};
  }
}

function link(from: object, to: object, how: number): void {
  if (Array.isArray(from)) from.push(to);
  else if (from instanceof Map) from.set(how % 2 === 0 ? to : how, to);
  else if (from instanceof Set) from.add(to);
  else if (HumanMessage.isInstance(from))
    (from.additional_kwargs as Record<string, unknown>)[`k${how}`] = to;
  else own(from, how === 0 ? "__proto__" : how === 1 ? "1" : `k${how}`, to);
}

function withFields(error: Error, fields: object): Error {
  for (const [name, item] of Object.entries(fields)) {
    if (name !== "message" && name !== "stack" && name !== "cause") own(error, name, item);
  }
  return error;
}

function own(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
