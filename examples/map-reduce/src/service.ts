/** A key that must not be found in any file. */
export const SERVICE_KEY = "key-of-the-counting-service-5e1b";

/** A client of a service that counts words: a live object, with an open connection and a key. */
export class Service {
  readonly key: string = SERVICE_KEY;
  /** The chapter on which it never answers, as if the network were gone. */
  readonly #silentOn: number | undefined;

  constructor(silentOn?: number) {
    this.#silentOn = silentOn;
  }

  count(chapter: number, text: string): Promise<number> {
    if (chapter === this.#silentOn) return new Promise(() => undefined);
    return Promise.resolve(text.split(/\s+/).length);
  }
}
