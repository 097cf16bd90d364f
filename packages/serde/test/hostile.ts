/** A payload that a careless reader dies of. */
export interface Hostile {
  readonly name: string;
  readonly bytes: () => Uint8Array;
}

const repeat = (count: number, ...bytes: number[]): Uint8Array =>
  Uint8Array.from({ length: count * bytes.length }, (_, i) => bytes[i % bytes.length] as number);

/** Each closes a trap in which the library's own decoder is caught, or one of the format. */
export const hostile: Hostile[] = [
  { name: "array header of 33 million items", bytes: () => Uint8Array.of(0xdd, 0x02, 0, 0, 0) },
  {
    name: "array header of 4 billion items",
    bytes: () => Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff),
  },
  { name: "nested array headers of 33 million items", bytes: () => repeat(8, 0xdd, 0x02, 0, 0, 0) },
  { name: "1,000 nested headers of 65,535 items", bytes: () => repeat(1_000, 0xdc, 0xff, 0xff) },
  { name: "34,000 nested headers of 65,535 items", bytes: () => repeat(34_000, 0xdc, 0xff, 0xff) },
  { name: "headers that announce exactly the bytes left", bytes: headersOfBytesLeft },
  { name: "a million nested arrays", bytes: () => repeat(1 << 20, 0x91) },
  { name: "a million nested maps", bytes: () => repeat(1 << 19, 0x81, 0xa0) },
  {
    name: "map header of 4 billion entries",
    bytes: () => Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff),
  },
  {
    name: "text header of 4 billion bytes",
    bytes: () => Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff),
  },
  {
    name: "binary header of 4 billion bytes",
    bytes: () => Uint8Array.of(0xc6, 0xff, 0xff, 0xff, 0xff),
  },
  {
    name: "extension header of 4 billion bytes",
    bytes: () => Uint8Array.of(0xc9, 0xff, 0xff, 0xff, 0xff, 5),
  },
  { name: "extensions nested in each other", bytes: () => nested(400, 0) },
  { name: "references to references", bytes: () => graph([0x93, 0x90, 0xd4, 34, 0, 0xd4, 34, 9]) },
  { name: "a document with references in another", bytes: () => graph([0x91, 0xc7, 1, 32, 0x90]) },
  {
    name: "an open extension outside of such a document",
    bytes: () => Uint8Array.of(0x92, 0xd4, 33, 5, 0x90),
  },
  { name: "an open extension of an unknown code", bytes: () => graph([0x92, 0xd4, 33, 99, 0x90]) },
  { name: "an unknown extension code", bytes: () => Uint8Array.of(0xd4, 99, 0) },
  { name: "a timestamp of MessagePack's own", bytes: () => Uint8Array.of(0xd6, 0xff, 0, 0, 0, 0) },
  { name: "invalid UTF-8", bytes: () => Uint8Array.of(0xa2, 0xff, 0xfe) },
  { name: "invalid UTF-8 in a key", bytes: () => Uint8Array.of(0x81, 0xa1, 0xff, 0x01) },
  { name: "a byte that is not MessagePack", bytes: () => Uint8Array.of(0xc1) },
  { name: "bytes behind the value", bytes: () => Uint8Array.of(0xc0, 0xc0) },
  { name: "a hole outside of an array", bytes: () => Uint8Array.of(0xd4, 16, 1) },
  { name: "a hole in a map", bytes: () => Uint8Array.of(0x81, 0xa1, 0x61, 0xd4, 16, 1) },
  { name: "numbers that collide as keys", bytes: () => integers(40_000) },
  { name: "BigInt larger than the engine has", bytes: () => extension(17, 1 << 28, 0xff) },
  { name: "a RegExp of open brackets", bytes: () => regexp("(".repeat(200_000)) },
  {
    name: "a typed array whose shape lies",
    bytes: () =>
      document(
        6,
        [0x94, 0xa3, 0x3c, 0x66, 0x34, 0x91, 0xce, 0xff, 0xff, 0xff, 0xff, 0xa1, 0x43, 0xc4, 0],
      ),
  },
  { name: "a message of another class", bytes: () => document(27, [0x93, 0xa1, 0x78, 0x80, 0x80]) },
];

function headersOfBytesLeft(): Uint8Array {
  const size = 20_000;
  const bytes = new Uint8Array(size);
  for (let at = 0; at + 3 <= size; at += 3)
    bytes.set([0xdc, (size - at - 3) >> 8, (size - at - 3) & 0xff], at);
  return bytes;
}

function nested(levels: number, code: number): Uint8Array {
  let body = Uint8Array.of(0xc0);
  for (let i = 0; i < levels; i++) body = document(code, [0x93, 0xa1, 0x6d, 0xa1, 0x6e, ...body]);
  return body;
}

function graph(body: readonly number[]): Uint8Array {
  return document(32, body);
}

function document(code: number, body: readonly number[]): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(6);
  new DataView(head.buffer).setUint32(1, body.length);
  head[0] = 0xc9;
  head[5] = code;
  return Uint8Array.of(...head, ...body);
}

function extension(code: number, size: number, fill: number): Uint8Array {
  const bytes = new Uint8Array(6 + size).fill(fill);
  new DataView(bytes.buffer).setUint32(1, size);
  bytes[0] = 0xc9;
  bytes[5] = code;
  return bytes;
}

function integers(count: number): Uint8Array {
  const bytes = new Uint8Array(5 + count * 6);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 0xdf);
  view.setUint32(1, count);
  for (let i = 0; i < count; i++) {
    view.setUint8(5 + i * 6, 0xce);
    view.setUint32(6 + i * 6, i * 65_536);
    view.setUint8(10 + i * 6, 0xc0);
  }
  return bytes;
}

function regexp(source: string): Uint8Array {
  const text = Buffer.from(source);
  const head = Uint8Array.of(0x93, 0xdb, 0, 0, 0, 0);
  new DataView(head.buffer).setUint32(2, text.length);
  const body = Buffer.concat([head, text, Uint8Array.of(0xa0, 0)]);
  const bytes = new Uint8Array(6 + body.length);
  bytes.set(body, 6);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes[0] = 0xc9;
  bytes[5] = 24;
  return bytes;
}
