/** Shorter texts turn up in storage by chance. */
const MIN_LENGTH = 8;
const MAX_OBJECTS = 1000;

/**
 * Texts inside of live objects, each with its key path: what must not be found in the storage.
 */
export function textsOf(value: unknown, path: string): [path: string, text: string][] {
  const found: [string, string][] = [];
  const seen = new Set<object>();
  const visit = (item: unknown, at: string): void => {
    if (typeof item === "string" && item.length >= MIN_LENGTH) found.push([at, item]);
    if (typeof item !== "object" || item === null || seen.has(item) || seen.size >= MAX_OBJECTS)
      return;
    seen.add(item);
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(item))) {
      // Getters of a live object may do anything.
      if ("value" in descriptor) visit(descriptor.value, `${at}.${key}`);
    }
  };
  visit(value, path);
  return found;
}

/** Those texts that are in the storage, as UTF-8, base64 or hex. */
export function findTexts(
  texts: readonly [path: string, text: string][],
  storage: readonly Uint8Array[],
): string[] {
  const haystacks = storage.map((bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  );
  return texts
    .filter(([, text]) => {
      const needle = Buffer.from(text);
      const forms = [needle, Buffer.from(needle.toString("hex")), ...base64Forms(needle)];
      return haystacks.some((bytes) => forms.some((form) => bytes.includes(form)));
    })
    .map(([path]) => path);
}

/** A text inside of a longer one takes one of three forms in base64, by where it starts. */
function base64Forms(needle: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), needle])
      .toString("base64")
      .replace(/=+$/, "");
    // What its neighbours take part in is left out.
    const inner = encoded.slice(
      offset === 0 ? 0 : offset + 1,
      Math.floor(((offset + needle.length) * 8) / 6),
    );
    return inner.length < MIN_LENGTH ? [] : [Buffer.from(inner)];
  });
}
