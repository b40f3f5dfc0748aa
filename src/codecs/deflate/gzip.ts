/** The gzip container (RFC 1952) around DEFLATE: one member or several. */
import { hexBytes } from "../../core/hex-bytes.ts";
import type { Decoder } from "../codec.ts";
import { checksumMismatch, decodeFailed } from "../failure.ts";
import { inflate, openInflater, type Inflater } from "./inflate.ts";
import { finish, newOutput, type Output } from "../output.ts";

export const gzip: Decoder = {
  streamEnd: (bytes, limit) => inflate(bytes, headerEnd(bytes, 0), newOutput("gzip", limit, limit)) + 8,
  prepare: () => ({ label: "gzip", decode: ungzip }),
};

/**
 * As Python's `gzip.GzipFile.read`: members follow each other, zero bytes after a member are skipped, anything else
 * there is an error; each member's checksum and length are verified; no bytes at all decode to none.
 */
function ungzip(input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
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
  const isGzip = magic[0] === 0x1f && magic[1] === 0x8b && magic[2] === 8;
  if (!isGzip && magic.length === 3) {
    throw decodeFailed("gzip", "1f 8b 08, the start of gzip data", `${hexBytes(magic)} at byte ${from}`);
  }
  const flags = input[from + 3];
  if (!isGzip || flags === undefined) throw cutOff("its header of 10 bytes", `${input.length - from} bytes`);
  let at = from + 10;
  if (flags & EXTRA) at += 2 + (input[at] ?? 0) + 256 * (input[at + 1] ?? 0);
  if (flags & NAME) at = afterNul(input, at);
  if (flags & COMMENT) at = afterNul(input, at);
  if (flags & HEADER_CHECKSUM) at += 2;
  if (at > input.length) throw cutOff("its whole header", `${input.length - from} bytes`);
  return at;
}

function afterNul(input: Uint8Array, from: number): number {
  const nul = input.indexOf(0, from);
  return nul === -1 ? input.length + 1 : nul + 1;
}

function cutOff(expected: string, found: string): Error {
  return decodeFailed("gzip", `a gzip member with ${expected}`, found);
}
