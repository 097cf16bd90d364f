import { TYPE } from "@threadkeep/serde";

/** An amount of euros, as the shop had it at first. */
export class Money {
  /** The stored name, which stays when the class is renamed, moved or minified. */
  static readonly [TYPE] = { module: "shop", name: "Money" };

  readonly euros: number;

  constructor(euros: number) {
    this.euros = euros;
  }

  plus(other: Money): Money {
    return new Money(this.euros + other.euros);
  }

  toString(): string {
    return `${this.euros.toFixed(2)} EUR`;
  }
}

/** What one customer wants to buy. */
export class Cart {
  static readonly [TYPE] = { module: "shop", name: "Cart" };

  readonly lines = new Map<string, Money>();

  add(article: string, price: Money): this {
    this.lines.set(article, price);
    return this;
  }

  get total(): Money {
    return [...this.lines.values()].reduce((sum, price) => sum.plus(price), new Money(0));
  }
}
