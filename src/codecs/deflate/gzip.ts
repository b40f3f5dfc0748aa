/** The gzip container (RFC 1952) around DEFLATE: one member or several. */
import { hexBytes, joinBytes } from "#core/bytes.ts";
import { type Bytes, checksumMismatch, decodeFailed, type Decoder, finish, newOutput, type Output } from "../codec.ts";
import { crc32 } from "../checksums/checksums.ts";
import { inflate, inflateSteps, openInflater, type Inflater } from "./inflate.ts";

export const gzip: Decoder = {
  streamEnd: (bytes, limit) => inflate(bytes, headerEnd(bytes, 0), newOutput("gzip", limit, limit)) + 8,
  prepare: () => ({ label: "gzip", decode: ungzip }),
};

/**
 * Decodes as Python's `gzip.GzipFile.read`: joins members, skips zero bytes after a member, refuses any others, and
 * verifies each member's checksum and length; empty input gives empty output.
 */
function ungzip(input: Uint8Array, limit: number): Bytes {
  const output = newOutput("gzip", limit, 0);
  const inflater = openInflater(input);
  let at = 0;
  while (at < input.length) {
    at = readMember(input, inflater, at, output);
    while (input[at] === 0) at++;
  }
  return finish(output);
}

/** Returns the position after the member. */
function readMember(input: Uint8Array, inflater: Inflater, from: number, output: Output): number {
  const start = output.length;
  const { end, sum: computed } = inflater.inflate(headerEnd(input, from), output, "crc32");
  if (end + 8 > input.length) throw cutOff("its trailer of 8 bytes", `${input.length - end} bytes`);
  const view = new DataView(input.buffer, input.byteOffset + end, 8);
  const length = output.length - start;
  if (view.getUint32(0, true) !== computed) throw checksumMismatch("gzip", view.getUint32(0, true), computed);
  if (view.getUint32(4, true) !== length % 2 ** 32) {
    throw decodeFailed("gzip", `${view.getUint32(4, true)} bytes, as the member's end says`, `${length} bytes`);
  }
  return end + 8;
}

const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;
const HEADER_CHECKSUM = 2;

function headerEnd(input: Uint8Array, from: number): number {
  const magic = input.subarray(from, from + 3);
  if (!isMember(magic) && magic.length === 3) {
    throw decodeFailed("gzip", "1f 8b 08, the start of gzip data", `${hexBytes(magic)} at byte ${from}`);
  }
  if (from + 3 >= input.length) throw cutOff("its header of 10 bytes", `${input.length - from} bytes`);
  const at = afterHeader(input, from);
  if (at > input.length) throw cutOff("its whole header", `${input.length - from} bytes`);
  return at;
}

const isMember = ([a, b, c]: Uint8Array): boolean => a === 0x1f && b === 0x8b && c === 8;

/** Offset after the member's header; past the end of the input if the header is cut. */
function afterHeader(input: Uint8Array, from: number): number {
  const flags = input[from + 3] ?? 0;
  let at = from + 10;
  if (flags & EXTRA) at += 2 + (input[at] ?? 0) + 256 * (input[at + 1] ?? 0);
  if (flags & NAME) at = afterNul(input, at);
  if (flags & COMMENT) at = afterNul(input, at);
  if (flags & HEADER_CHECKSUM) at += 2;
  return at;
}

function afterNul(input: Uint8Array, from: number): number {
  const nul = input.indexOf(0, from);
  return nul === -1 ? input.length + 1 : nul + 1;
}

function cutOff(expected: string, found: string): Error {
  return decodeFailed("gzip", `a gzip member with ${expected}`, found);
}

const ROOM = 64 * 1024;

/** The same of a stream: each piece that is given is valid until the next is asked for. Throws any error. */
export async function* ungzipPieces(next: () => Promise<Uint8Array | undefined>): AsyncGenerator<Bytes, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  const room = new Uint8Array(ROOM);
  const takeMore = async (): Promise<boolean> => {
    const piece = await next();
    if (piece !== undefined) rest = joinBytes([rest, piece]);
    return piece !== undefined;
  };
  const has = async (count: () => number): Promise<void> => {
    while (rest.length < count()) if (!(await takeMore())) throw new Error("unexpected end of data");
  };
  for (;;) {
    const start = rest.findIndex((byte) => byte !== 0);
    rest = rest.subarray(start < 0 ? rest.length : start);
    if (rest.length === 0) {
      if (await takeMore()) continue;
      return undefined;
    }
    await has(() => 4);
    if (!isMember(rest)) throw new Error("something else follows the compressed data");
    await has(() => afterHeader(rest, 0));
    rest = rest.subarray(afterHeader(rest, 0));
    const steps = inflateSteps();
    let [sum, size] = [0, 0];
    for (let hasEnded = false; !hasEnded;) {
      const { taken, given, ended, wrong } = steps.step(rest, room);
      rest = rest.subarray(taken);
      const bytes = room.subarray(0, given);
      sum = crc32(bytes, sum);
      size += given;
      if (given > 0) yield bytes;
      if (wrong !== undefined) throw new Error(wrong);
      hasEnded = ended;
      if (!ended && given < ROOM) await has(() => 1);
    }
    await has(() => 8);
    const view = new DataView(rest.buffer, rest.byteOffset, 8);
    if (view.getUint32(0, true) !== sum) throw new Error("incorrect data check");
    if (view.getUint32(4, true) !== size % 2 ** 32) throw new Error("incorrect length check");
    rest = rest.subarray(8);
  }
}
