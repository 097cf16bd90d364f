import { cases } from "./index.ts";
import type { AnyClass } from "../../src/index.ts";
import type { Case } from "./case.ts";

class Money {
  amount = 12;
  currency = "EUR";
}

class Celsius {
  readonly degrees: number;
  constructor(degrees: number) {
    this.degrees = degrees;
  }
}

class PaymentError extends RangeError {
  code = "E1";
}

/** The classes that golden payloads hold. */
export const goldenTypes: Readonly<Record<string, AnyClass>> = { Money, Celsius, PaymentError };

/** One payload for each form of the wire contract, to be read for ever. */
export const goldenCases: Case[] = [
  ...cases.filter(({ large }) => large !== true),
  { name: "instance by fields", value: () => new Money() },
  {
    name: "instance shared",
    value: () => {
      const one = new Money();
      return [one, { one }];
    },
  },
  { name: "instance of an error class", value: () => new PaymentError("declined") },
];
