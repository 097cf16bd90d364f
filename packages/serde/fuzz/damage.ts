import { type MsgpackSerializer, SerdeError } from "../src/index.ts";

type Random = () => number;

/** Heads that announce much, and codes of extensions. */
const TELLING = [
  0xdd, 0xdf, 0xdb, 0xc6, 0xc9, 0xdc, 0xde, 0xc7, 0xc8, 0xd4, 0xd8, 0x21, 0x22, 0x20, 0x9f, 0x8f,
  0xff, 0, 1, 2, 5, 0x14,
];
/** Milliseconds that no short payload may take. */
const SLOW = 1_000;

/** A payload that is nearly one of `seeds`, or no payload at all. */
export function damaged(seeds: readonly Uint8Array[], random: Random): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  if (below(10) === 0) return Uint8Array.from({ length: below(64) }, () => below(256));
  const pick = (): Uint8Array => seeds[below(seeds.length)] as Uint8Array;
  let bytes = [...pick()];
  for (let i = 1 + below(4); i > 0; i--) {
    const at = below(bytes.length + 1);
    const size = below(16);
    switch (below(7)) {
      case 0:
        bytes[at] = below(256);
        break;
      case 1:
        bytes[at] = TELLING[below(TELLING.length)] as number;
        break;
      case 2:
        bytes = bytes.slice(0, at);
        break;
      case 3:
        bytes.splice(at, size);
        break;
      case 4:
        bytes.splice(at, 0, ...bytes.slice(below(bytes.length + 1)).slice(0, size));
        break;
      case 5:
        bytes.splice(at, 0, ...pick().slice(0, 64));
        break;
      default:
        bytes.splice(at, 0, TELLING[below(TELLING.length)] as number, below(256));
    }
  }
  return Uint8Array.from(bytes.map((byte) => byte ?? 0));
}

/** What is wrong with the answer to these bytes; undefined when nothing is. */
export function check(serializer: MsgpackSerializer, bytes: Uint8Array): string | undefined {
  const start = performance.now();
  try {
    serializer.dumps(serializer.loads(bytes));
  } catch (error) {
    if (!SerdeError.is(error)) return String(error);
  }
  const took = performance.now() - start;
  return took > SLOW ? `took ${took.toFixed(0)} ms` : undefined;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function generator(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
