import { TYPE, type TypeDescription } from "@threadkeep/serde";

/** What the first deployment stored of its Money. */
interface Euros {
  readonly euros: number;
}

/** An amount in any currency, in whole cents. */
export class Price {
  static readonly [TYPE]: TypeDescription<Price, readonly [cents: bigint, currency: string]> = {
    module: "shop",
    name: "Price",
    // Under these names and in these forms it was stored before.
    aliases: ["Money"],
    version: 2,
    migrate: { 1: ({ euros }: Euros) => [BigInt(Math.round(euros * 100)), "EUR"] },
    dump: (price) => [price.#cents, price.currency],
    load: ([cents, currency]) => new Price(cents, currency),
  };

  readonly #cents: bigint;
  readonly currency: string;

  constructor(cents: bigint, currency: string) {
    this.#cents = cents;
    this.currency = currency;
  }

  plus(other: Price): Price {
    if (other.currency !== this.currency) throw new RangeError("Prices in different currencies");
    return new Price(this.#cents + other.#cents, this.currency);
  }

  toString(): string {
    const cents = String(this.#cents % 100n).padStart(2, "0");
    return `${this.#cents / 100n}.${cents} ${this.currency}`;
  }
}

/** What one customer wants to buy, and since when. */
export class Cart {
  static readonly [TYPE]: TypeDescription<Cart> = {
    module: "shop",
    name: "Cart",
    version: 2,
    // A new field, and one renamed.
    migrate: {
      1: ({ lines }: { lines: Map<string, Price> }) => ({ articles: lines, gift: false }),
    },
  };

  readonly articles = new Map<string, Price>();
  gift = false;

  add(article: string, price: Price): this {
    this.articles.set(article, price);
    return this;
  }

  get total(): Price {
    const [first = new Price(0n, "EUR"), ...others] = this.articles.values();
    return others.reduce((sum, price) => sum.plus(price), first);
  }
}
