/** One kind of value that has to come back as it was. */
export interface Case {
  readonly name: string;
  /** A fresh value at every call. */
  readonly value: () => unknown;
  /** The payload, where the contract fixes every byte. */
  readonly hex?: string;
  /** Too large to be put into every place. */
  readonly large?: boolean;
  /** Why the row is here, when its name does not say it. */
  readonly why?: string;
  /** Whether Python reads it too. @defaultValue not looked at */
  readonly tag?: "msgpack" | "msgpack+js";
}
