/** Object headers of both versions, as their messages (HDF5 File Format Specification 3.0, IV.A.1). */
import { at, Cursor, damaged, noteStructure, signed, summed, type Hdf5File } from "./hdf5-file.ts";
import { openHeap } from "./fractal-heap.ts";

export interface Message {
  readonly type: number;
  readonly body: Uint8Array;
  /** Offset of the header from the first byte of the file: the place that errors of the message name. */
  readonly offset: number;
}

export const MESSAGE = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFill: 0x04,
  fill: 0x05,
  link: 0x06,
  external: 0x07,
  layout: 0x08,
  filters: 0x0b,
  attribute: 0x0c,
  continuation: 0x10,
  symbolTable: 0x11,
  attributeInfo: 0x15,
} as const;

/** Bytes that hold most headers. */
const USUAL = 512;
const MOST_MESSAGES = 100_000;
const KIND = "object header";

interface Raw extends Message {
  readonly flags: number;
}

export async function readHeader(file: Hdf5File, address: number): Promise<readonly Message[]> {
  return followed(file, address, 0);
}

/** Messages that are kept elsewhere are read from there; a chain of these is hostile. */
async function followed(file: Hdf5File, address: number, depth: number): Promise<readonly Message[]> {
  const offset = file.base + address;
  const all = await rawMessages(file, address);
  return Promise.all(
    all.map(async ({ type, flags, body }) => {
      if ((flags & 2) === 0) return { type, body, offset };
      if (depth > 4) throw damaged(file, KIND, offset, { expected: "a message", found: "a chain of shared messages" });
      return { type, body: await sharedBody(file, { type, body, offset }, depth), offset };
    }),
  );
}

/** Body of a shared message, which names a heap or another header. */
export async function sharedBody(file: Hdf5File, { type, body, offset }: Message, depth = 0): Promise<Uint8Array> {
  const fields = new Cursor(file, "shared message", offset, body);
  const [version, kind] = [fields.u(1), fields.u(1)];
  if (version === 3 && kind === 1) return fromSharedHeap(file, type, fields.take(8), offset);
  // The second field and the address of a local heap are unused.
  if (version === 1) fields.skip(6 + file.L);
  const messages = await followed(file, fields.u(file.O), depth + 1);
  const found = messages.find((one) => one.type === type);
  if (found === undefined)
    throw damaged(file, "shared message", offset, { expected: "a message of its type there", found: "none" });
  return found.body;
}

export async function fromSharedHeap(file: Hdf5File, type: number, id: Uint8Array, offset: number) {
  const heap = file.shared.get(type === MESSAGE.oldFill ? MESSAGE.fill : type);
  if (heap === undefined)
    throw damaged(file, "shared message", offset, { expected: "a heap of shared messages", found: "none" });
  return (await openHeap(file, heap)).get(id);
}

async function rawMessages(file: Hdf5File, address: number): Promise<readonly Raw[]> {
  const { bytes, base } = file;
  const head = await at(file, KIND, address, Math.min(16, bytes.size - base - address), USUAL - 16);
  return String.fromCharCode(...head.subarray(0, 4)) === "OHDR"
    ? newer(file, address, head)
    : older(file, address, new Cursor(file, KIND, base + address, head));
}

async function older(file: Hdf5File, address: number, fields: Cursor): Promise<readonly Raw[]> {
  const version = fields.u(1);
  if (version !== 1) fields.fail("version 1, or the signature OHDR", `version ${version}`);
  const size = fields.skip(7).u(4);
  noteStructure(file, { offset: file.base + address, length: 16 + size, kind: KIND, begins: true });
  return chained(file, address, await at(file, KIND, address + 16, size), "plain", (block, found) => {
    while (block.left >= 8) {
      const [type, length, flags] = [block.u(2), block.u(2), block.u(1)];
      found({ type, flags, body: block.skip(3).take(length), offset: block.offset });
    }
  });
}

async function newer(file: Hdf5File, address: number, head: Uint8Array): Promise<readonly Raw[]> {
  const flags = head[5] ?? 0;
  const begin = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  const sized = await signed(file, KIND, "OHDR", address, begin + (1 << (flags & 3)));
  const size = sized.skip(begin - 4).u(1 << (flags & 3));
  const from = sized.at;
  const body = await summed(file, KIND, "OHDR", address, from + size + 4);
  return chained(file, address, body.bytes.subarray(from), "OCHK", (block, found) => {
    const ordered = flags & 4 ? 2 : 0;
    // A gap that holds no message may end the block.
    while (block.left >= 4 + ordered) {
      const [type, length, of] = [block.u(1), block.u(2), block.u(1)];
      found({ type, flags: of, body: block.skip(ordered).take(length), offset: block.offset });
    }
  });
}

/** Messages of the first block and of those in which it is continued. */
async function chained(
  file: Hdf5File,
  address: number,
  first: Uint8Array,
  form: "plain" | "OCHK",
  each: (block: Cursor, found: (message: Raw) => void) => void,
): Promise<readonly Raw[]> {
  const offset = file.base + address;
  const messages: Raw[] = [];
  const seen = new Set<number>();
  const todo = [first];
  for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
    const more: [number, number][] = [];
    each(new Cursor(file, KIND, offset, block), (message) => {
      if (messages.length >= MOST_MESSAGES)
        throw damaged(file, KIND, offset, { expected: `at most ${MOST_MESSAGES} messages`, found: "more" });
      if (message.type === 0) return;
      if (message.type !== MESSAGE.continuation) {
        messages.push(message);
        return;
      }
      const fields = new Cursor(file, "continuation of an object header", offset, message.body);
      more.push([fields.u(file.O), fields.u(file.L)]);
    });
    for (const [next, length] of more) {
      if (seen.has(next)) throw damaged(file, KIND, offset, { expected: "continuations that end", found: "a loop" });
      seen.add(next);
      const kind = "continuation of an object header";
      const plain = form === "plain";
      todo.push(
        plain ? await at(file, kind, next, length) : (await summed(file, kind, form, next, length)).bytes.subarray(4),
      );
    }
  }
  return messages;
}
