import { types } from "node:util";
import type { SealContext, StorageCodec } from "../codec.ts";
import { SaverError } from "../errors.ts";
import { kindOf } from "../kind-of.ts";
import { type NamedPart, type Part, partBytes, partFrom } from "../parts/part.ts";
import { DIGEST_BYTES } from "../parts/tokens.ts";

/** Bytes of the digest that stands in front of what is not named by its own. */
const CHECK_BYTES = 8;

/**
 * Documents to stored bytes and back. Whatever is read is held against a digest first: a part
 * against its name, everything else against the check that it begins with.
 */
export class Sealing {
  readonly #codec: StorageCodec;

  constructor(codec: StorageCodec) {
    this.#codec = codec;
  }

  /** The digest under which a part is stored. */
  name(part: Part): Uint8Array {
    return this.#digest(partBytes(part));
  }

  sealPart(threadId: string, part: NamedPart): Uint8Array {
    return this.#sealed(partBytes(part), { threadId, digest: part.digest });
  }

  openPart(threadId: string, digest: Uint8Array, sealed: Uint8Array): Part {
    const bytes = this.#open(sealed, threadId, digest);
    const part = partFrom(bytes);
    if (part === undefined || !startsWith(this.#digest(bytes), digest)) throw damaged();
    return part;
  }

  seal(threadId: string, document: Uint8Array): Uint8Array {
    const digest = this.#digest(document).subarray(0, CHECK_BYTES);
    return Buffer.concat([digest, this.#sealed(document, { threadId, digest })]);
  }

  open(threadId: string, sealed: Uint8Array): Uint8Array {
    const digest = sealed.subarray(0, CHECK_BYTES);
    const document = this.#open(sealed.subarray(CHECK_BYTES), threadId, digest);
    if (digest.length < CHECK_BYTES || !startsWith(this.#digest(document), digest)) throw damaged();
    return document;
  }

  #sealed(bytes: Uint8Array, context: SealContext): Uint8Array {
    return bytesOf("seal", () => this.#codec.seal(bytes, context), failed("seal"));
  }

  #open(sealed: Uint8Array, threadId: string, digest: Uint8Array): Uint8Array {
    return bytesOf("open", () => this.#codec.open(sealed, { threadId, digest }), damaged);
  }

  #digest(bytes: Uint8Array): Uint8Array {
    const digest = bytesOf("digest", () => this.#codec.digest(bytes), failed("digest"));
    if (digest.length < DIGEST_BYTES)
      throw new SaverError(
        "invalid_options",
        `The codec's digest gave ${digest.length} bytes; it must give ${DIGEST_BYTES} at least`,
      );
    return digest.subarray(0, DIGEST_BYTES);
  }
}

/** What a codec gives; `wrong` makes the error for what it throws. */
function bytesOf(
  method: keyof StorageCodec,
  call: () => unknown,
  wrong: (cause: unknown) => SaverError,
): Uint8Array {
  let given: unknown;
  try {
    given = call();
  } catch (error) {
    throw wrong(error);
  }
  if (types.isUint8Array(given)) return given;
  if (types.isPromise(given)) given.catch(() => {});
  throw new SaverError(
    "invalid_options",
    `The codec's ${method} must give a Uint8Array, not ${types.isPromise(given) ? "a promise" : kindOf(given)}`,
  );
}

function failed(method: keyof StorageCodec): (cause: unknown) => SaverError {
  return (cause) =>
    new SaverError("unsupported", `The codec's ${method} failed; see the cause`, { cause });
}

function startsWith(digest: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, i) => digest[i] === byte);
}

function damaged(cause?: unknown): SaverError {
  return new SaverError("corrupt", "its bytes are damaged", cause === undefined ? {} : { cause });
}
