import type { MsgpackSerializer, WriteHooks } from "@threadkeep/serde";

/**
 * A value as text, for places that keep strings and nothing else for sure: the form's version, the
 * payload's tag, the payload. The one form of ours that a user's own string could look like; what is
 * stored through it is always sealed, so only rows that were stored without it can be mistaken.
 */
export function seal(serializer: MsgpackSerializer, value: unknown, hooks: WriteHooks): string {
  const { tag, bytes } = serializer.write(value, hooks);
  return `${START}${tag}:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;
}

/** The value of a sealed text; anything else is given back as it is. */
export function unseal(serializer: MsgpackSerializer, stored: unknown): unknown {
  const match = typeof stored === "string" ? SEALED.exec(stored) : null;
  if (match === null) return stored;
  return serializer.read(match[1] as string, Buffer.from(match[2] as string, "base64"));
}

const START = "threadkeep:1:";
const SEALED = /^threadkeep:1:(msgpack(?:\+[a-z]+)*):([A-Za-z0-9+/]*={0,2})$/;
