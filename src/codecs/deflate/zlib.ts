/** The zlib container (RFC 1950) around DEFLATE. */
import { hexBytes } from "#core/bytes.ts";
import { checksumMismatch, decodeFailed, type Decoder, finish, newOutput } from "../codec.ts";
import { inflate, openInflater } from "./inflate.ts";

export const zlib: Decoder = {
  streamEnd: (bytes, limit) => inflate(bytes, 2, newOutput("zlib", limit, limit)) + 4,
  prepare: () => ({ label: "zlib", decode: (input, limit) => unzlib("zlib", input, limit) }),
};

/** Decodes as Python's `zlib.decompress`: ignores bytes after the end of the stream and verifies the checksum. */
export function unzlib(codec: string, input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const [method, flags] = input;
  if (method === undefined || flags === undefined) {
    throw decodeFailed(codec, "a zlib stream of at least 8 bytes", `${input.length} bytes`);
  }
  if ((method & 15) !== 8 || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0) {
    throw decodeFailed(codec, "a zlib header (78 01, 78 5e, 78 9c or 78 da are usual)", hexBytes(input.subarray(0, 2)));
  }
  if ((flags & 32) !== 0)
    throw decodeFailed(codec, "a zlib stream without a dictionary", "one that needs a dictionary");
  const output = newOutput(codec, limit, 0);
  const { end, sum: computed } = openInflater(input).inflate(2, output, "adler32");
  const result = finish(output);
  if (end + 4 > input.length) {
    throw decodeFailed(codec, "a checksum of 4 bytes after the compressed data", `${input.length - end} bytes`);
  }
  const stored = new DataView(input.buffer, input.byteOffset + end, 4).getUint32(0);
  if (stored !== computed) throw checksumMismatch(codec, stored, computed);
  return result;
}
