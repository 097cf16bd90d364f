import type { Case } from "./case.ts";

/** Objects that are reached more than once. */
export const graphCases: Case[] = [
  {
    name: "cycle",
    value: () => {
      const a: Record<string, unknown> = { n: 1 };
      a.self = a;
      return a;
    },
  },
  {
    name: "array that holds itself",
    value: () => {
      const a: unknown[] = [];
      a.push(a, [a]);
      return a;
    },
  },
  {
    name: "Map that holds itself, also as a key",
    value: () => {
      const map = new Map<unknown, unknown>();
      map.set("me", map).set(map, "key");
      return map;
    },
  },
  {
    name: "Set that holds itself",
    value: () => {
      const set = new Set<unknown>();
      return set.add(set).add({ set });
    },
  },
  {
    name: "Error that is its own cause",
    value: () => {
      const error = new Error("x");
      error.cause = error;
      return error;
    },
  },
  {
    name: "shared record",
    value: () => {
      const shared = { x: 1 };
      return { a: shared, b: [shared, { c: shared }] };
    },
  },
  {
    name: "shared value of every kind",
    value: () => {
      const kinds: unknown[] = [
        {},
        [],
        new Date(1),
        new Map([["a", 1]]),
        new Set([1]),
        /x/g,
        new URL("https://example.com/"),
        new TypeError("x"),
        new Uint8Array([1]),
        new Float32Array([1]),
        Buffer.from("x"),
        new ArrayBuffer(2),
        new DataView(new ArrayBuffer(2)),
        new Uint8ClampedArray([1]),
        Object.create(null),
        new Date(Number.NaN),
        JSON.parse('{"__proto__":1}'),
      ];
      return { first: kinds, again: [...kinds].reverse() };
    },
  },
  {
    name: "shared inside of extensions",
    value: () => {
      const shared = { x: new Date(1) };
      return [
        new Map([["a", shared]]),
        new Set([shared]),
        new Error("x", { cause: shared }),
        new Map([[shared, 1]]),
      ];
    },
  },
  {
    name: "references beside extensions of all kinds",
    value: () => {
      const shared = [1];
      return [undefined, -0, 2n ** 70n, "\uD800", shared, new Date(0), [, shared], new Date(8e15)];
    },
    why: "extensions that open beside those that stay",
  },
  {
    name: "records with __proto__ and numeric keys beside references",
    value: () => {
      const shared = {};
      return {
        1: shared,
        a: JSON.parse('{"__proto__":{"x":1}}'),
        b: shared,
        m: new Map([[1, shared]]),
      };
    },
  },
  {
    name: "arrays that look like an open extension",
    value: () => {
      const shared = {};
      return [shared, shared, [5, []], [[], []], [33, { a: 1 }]];
    },
  },
  {
    name: "doubling graph of 40 levels",
    value: () => {
      let value: unknown = { bottom: 1 };
      for (let i = 0; i < 40; i++) value = [value, value];
      return value;
    },
  },
  {
    name: "300 shared objects",
    value: () => {
      const objects = Array.from({ length: 300 }, (_, i) => ({ i }));
      return [objects, [...objects].reverse()];
    },
    why: "references of two bytes",
  },
  {
    name: "70,000 objects and a reference to the last",
    large: true,
    value: () => {
      const objects = Array.from({ length: 70_000 }, () => []);
      return [objects, objects.at(-1)];
    },
    why: "references of four bytes",
  },
  {
    name: "two views of one buffer",
    value: () => {
      const { buffer } = new Uint8Array([1, 2, 3, 4]);
      return [new Uint8Array(buffer, 0, 2).slice(), new Uint8Array(buffer, 2, 2).slice()];
    },
  },
];
